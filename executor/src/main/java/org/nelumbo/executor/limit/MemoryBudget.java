package org.nelumbo.executor.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A budget of heap memory: a limit, and how much of it is reserved. What is reserved in a budget is
 * reserved in the budget it is part of as well. Thread-safe.
 */
public final class MemoryBudget {
  /** The system property that sets the budget of the JVM, in bytes. */
  public static final String JVM_PROPERTY = "nelumbo.maxQueryMemory";

  private static final MemoryBudget JVM =
      new MemoryBudget(JVM_PROPERTY, jvmLimit(Runtime.getRuntime().maxMemory()), null);

  private final String property;
  private final long limit;
  private final MemoryBudget parent;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong spills = new AtomicLong();
  private final AtomicLong spilledBytes = new AtomicLong();

  private MemoryBudget(String property, long limit, MemoryBudget parent) {
    this.property = property;
    this.limit = limit;
    this.parent = parent;
  }

  /** The budget of all statements of this JVM: half of the heap unless the property says more. */
  public static MemoryBudget ofJvm() {
    return JVM;
  }

  private static long jvmLimit(long heapBytes) {
    Long given = Long.getLong(JVM_PROPERTY);
    return given == null || given <= 0 ? heapBytes / 2 : given;
  }

  /**
   * A budget within this one.
   *
   * @param name of the property that sets its limit, for messages
   */
  public MemoryBudget newPart(String name, long limitBytes) {
    return new MemoryBudget(name, limitBytes, this);
  }

  public long limit() {
    return limit;
  }

  public long used() {
    return used.get();
  }

  /** The most that was ever reserved at a time. */
  public long peak() {
    return peak.get();
  }

  /** How often it had not got what was wanted: then rows were spilled, or a statement failed. */
  public long refusals() {
    return refusals.get();
  }

  /** How often statements within it have written rows to temporary files. */
  public long spills() {
    return spills.get();
  }

  /** Bytes of rows that statements within it have written to temporary files. */
  public long spilledBytes() {
    return spilledBytes.get();
  }

  /** Notes that rows were written to a temporary file. */
  void noteSpill(long bytes) {
    spills.incrementAndGet();
    spilledBytes.addAndGet(bytes);
    if (parent != null) {
      parent.noteSpill(bytes);
    }
  }

  /** Reserves memory here and in the budgets this one is part of; false if one has not got it. */
  boolean tryReserve(long bytes) {
    long now = used.addAndGet(bytes);
    if (now > limit) {
      used.addAndGet(-bytes);
      refusals.incrementAndGet();
      return false;
    }
    if (parent != null && !parent.tryReserve(bytes)) {
      used.addAndGet(-bytes);
      return false;
    }
    if (now > peak.get()) {
      peak.accumulateAndGet(now, Math::max);
    }
    return true;
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
    if (parent != null) {
      parent.release(bytes);
    }
  }

  /** Gives everything back that is still reserved; nobody uses the budget any more. */
  public void close() {
    long left = used.getAndSet(0);
    if (parent != null && left != 0) {
      parent.release(left);
    }
  }

  /**
   * Returns which budget has refused so many bytes, and what to do about it. If it has room by now,
   * as others have given memory back, this one is named.
   */
  String describeShortage(long bytes) {
    MemoryBudget full = this;
    while (full != null && full.used.get() + bytes <= full.limit) {
      full = full.parent;
    }
    return full == null ? describe() : full.describe();
  }

  private String describe() {
    return used.get()
        + " bytes are in use of "
        + property
        + "="
        + limit
        + "; let the statement keep fewer rows, or raise "
        + property;
  }
}
