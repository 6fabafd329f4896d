package org.nelumbo.executor.limit;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The memory reserved by one data structure of a statement. The first {@link #FREE_BYTES} are not
 * counted, so that small statements never touch a budget. Used by one thread at a time.
 */
public final class MemoryAccount {
  /** Number of bytes that every structure may use without a reservation. */
  public static final long FREE_BYTES = 64 << 10;

  private final StatementLimits limits;
  private final String owner;

  /** Budget of the {@link #reserved} bytes; null while nothing is reserved. */
  private MemoryBudget budget;

  private long reserved;

  MemoryAccount(StatementLimits limits, String owner) {
    this.limits = limits;
    this.owner = owner;
  }

  /**
   * Changes the size of the structure: reserves the missing bytes, or releases the excess. Returns
   * false if a budget does not have enough.
   *
   * @param bytes new size of the structure
   */
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

  /**
   * Changes the size as {@link #tryResize} does; fails with 53200 if a budget does not have enough.
   */
  public void resize(long bytes) {
    if (!tryResize(bytes)) {
      throw exhausted(bytes);
    }
  }

  /** Creates the error of a structure that cannot grow to {@code bytes} bytes. */
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

  /** Releases the whole reservation. */
  public void close() {
    boolean _ = tryResize(0);
  }
}
