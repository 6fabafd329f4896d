package org.nelumbo.executor.lock;

import org.nelumbo.executor.timestamp.Clock;

/**
 * Wait-die priorities of those who take locks: smaller is older, compared by wrap-around
 * subtraction.
 */
public final class Priority {
  private static final int SLOT_BITS = 12;

  /** Largest number of a compute node; takes the place of the lowest bits of the timestamp. */
  public static final long NODE_MAX = 63;

  /** In the place of a slot, marks the priorities of collectors. */
  private static final int COLLECTOR = (1 << SLOT_BITS) - 1;

  /** About 25 days, in timestamps; far from half the range in which priorities are compared. */
  private static final long WEEKS = 1L << 45;

  private Priority() {}

  /** A transaction's: its start timestamp, made unique by its coordinator's slot. */
  public static long of(long startTimestamp, int slot) {
    return (startTimestamp << SLOT_BITS) | slot;
  }

  /**
   * A transaction's on one of several compute nodes: unique among them, since two of one age that
   * both upgrade a read lock would wait for each other. Ages are told apart by some microseconds.
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
   * A collector's: younger than every transaction there is, and than those that begin in the next
   * weeks. It may be held up while it has a lock, and whoever meets it waits.
   */
  public static long ofCollector(Clock clock) {
    return of(clock.now() + WEEKS, COLLECTOR);
  }

  /** Whether it is that of a collector, who holds a lock for an instant only. */
  public static boolean isOfCollector(long priority) {
    return (priority & COLLECTOR) == COLLECTOR;
  }
}
