package org.nelumbo.executor.lock;

import org.nelumbo.executor.timestamp.Clock;

/**
 * Wait-die priorities of lock requesters: smaller is older, compared by wrap-around subtraction.
 */
public final class Priority {
  private static final int SLOT_BITS = 12;

  /** Largest number of a compute node, which replaces the lowest bits of the timestamp. */
  public static final long NODE_MAX = 63;

  /** Marks the priorities of collectors, instead of a slot. */
  private static final int COLLECTOR = (1 << SLOT_BITS) - 1;

  /** About 25 days, in timestamps; far below half the range in which priorities are compared. */
  private static final long WEEKS = 1L << 45;

  private Priority() {}

  /**
   * Returns the priority of a transaction: its start timestamp, made unique by its coordinator's
   * slot.
   */
  public static long of(long startTimestamp, int slot) {
    return (startTimestamp << SLOT_BITS) | slot;
  }

  /**
   * Returns the priority of a transaction on one of several compute nodes. It is unique among them:
   * otherwise two readers of the same age that both upgrade would wait for each other. The age has
   * a resolution of a few microseconds.
   *
   * @param node number of the compute node, 0 to {@value #NODE_MAX}
   */
  public static long of(long startTimestamp, int slot, int node) {
    return of(startTimestamp & ~NODE_MAX | nodeBits(node), slot);
  }

  private static long nodeBits(int node) {
    return node;
  }

  /**
   * Returns the priority of a collector: younger than every present transaction, and than all that
   * begin in the next weeks. A collector may be delayed while it holds a lock; transactions that
   * need the lock wait for it.
   */
  public static long ofCollector(Clock clock) {
    return of(clock.now() + WEEKS, COLLECTOR);
  }

  /**
   * Returns true if the priority belongs to a collector, which holds a lock only for an instant.
   */
  public static boolean isOfCollector(long priority) {
    return (priority & COLLECTOR) == COLLECTOR;
  }
}
