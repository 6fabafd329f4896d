package org.nelumbo.executor.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A budget of heap memory: a limit, and the amount that is reserved. Each reservation also counts
 * in the parent budget. Thread-safe.
 */
public final class MemoryBudget {
  /** System property that sets the budget of the JVM, in bytes. */
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

  /**
   * Returns the budget of all statements of this JVM: half of the heap, unless the property sets
   * another limit.
   */
  public static MemoryBudget ofJvm() {
    return JVM;
  }

  private static long jvmLimit(long heapBytes) {
    Long given = Long.getLong(JVM_PROPERTY);
    return given == null || given <= 0 ? heapBytes / 2 : given;
  }

  /**
   * Creates a budget whose parent is this one.
   *
   * @param name property that sets its limit, for messages
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

  /** Returns the maximum that was ever reserved at a time. */
  public long peak() {
    return peak.get();
  }

  /**
   * Returns the number of refused reservations, after which rows were spilled or a statement
   * failed.
   */
  public long refusals() {
    return refusals.get();
  }

  /**
   * Returns the number of times that statements within this budget have written rows to temporary
   * files.
   */
  public long spills() {
    return spills.get();
  }

  /** Returns the bytes that statements within this budget have written to temporary files. */
  public long spilledBytes() {
    return spilledBytes.get();
  }

  /** Counts rows written to a temporary file. */
  void noteSpill(long bytes) {
    spills.incrementAndGet();
    spilledBytes.addAndGet(bytes);
    if (parent != null) {
      parent.noteSpill(bytes);
    }
  }

  /**
   * Reserves memory in this budget and its ancestors; returns false if one of them has not enough.
   */
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

  /** Releases all remaining reservations. The budget must not be used afterwards. */
  public void close() {
    long left = used.getAndSet(0);
    if (parent != null && left != 0) {
      parent.release(left);
    }
  }

  /**
   * Describes which budget has refused a reservation, and the remedy. If all budgets have room
   * again because other statements have released memory, this budget is named.
   *
   * @param bytes size of the refused reservation
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
        + "; make the statement use fewer rows, or raise "
        + property;
  }
}
