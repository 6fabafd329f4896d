package org.nelumbo.executor.limit;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The memory that one structure of a statement has reserved. The first {@link #FREE_BYTES} are not
 * counted, so that small statements never touch a budget. One thread at a time.
 */
public final class MemoryAccount {
  /** Bytes that every structure may have without asking. */
  public static final long FREE_BYTES = 64 << 10;

  private final StatementLimits limits;
  private final String owner;

  /** Where {@link #reserved} bytes are reserved; null while there are none. */
  private MemoryBudget budget;

  private long reserved;

  MemoryAccount(StatementLimits limits, String owner) {
    this.limits = limits;
    this.owner = owner;
  }

  /** Reserves what is missing to that many bytes, or gives back; false if there is not enough. */
  public boolean tryResize(long bytes) {
    long wanted = Math.max(0, bytes - FREE_BYTES);
    if (wanted > reserved) {
      if (budget == null) {
        budget = limits.memory();
      }
      if (budget != null && !budget.tryReserve(wanted - reserved)) {
        limits.noteRefusal(wanted - reserved);
        return false;
      }
    } else if (budget != null && wanted < reserved) {
      budget.release(reserved - wanted);
    }
    reserved = wanted;
    if (wanted == 0) {
      budget = null;
    }
    return true;
  }

  /** Reserves as {@link #tryResize} does; 53200 if there is not enough. */
  public void resize(long bytes) {
    if (!tryResize(bytes)) {
      throw exhausted(bytes);
    }
  }

  /** The error of a structure that cannot grow to so many bytes. */
  public NelumboException exhausted(long bytes) {
    MemoryBudget full = budget == null ? limits.memory() : budget;
    return new NelumboException(
        ErrorCode.OUT_OF_MEMORY,
        owner
            + " needs "
            + bytes
            + " bytes of memory: "
            + full.describeShortage(limits.refusedBytes()));
  }

  /** Gives everything back. */
  public void close() {
    boolean _ = tryResize(0);
  }
}
