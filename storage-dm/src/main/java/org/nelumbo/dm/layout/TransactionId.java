package org.nelumbo.dm.layout;

/**
 * How a transaction is named while it commits: by its compute node, the slot of its coordinator
 * there, and a count.
 *
 * <pre>
 *  63    55 54                34 33        22 21            0
 *  +-------+--------------------+------------+---------------+
 *  |   0   | number of the node |    slot    |     count     |
 *  +-------+--------------------+------------+---------------+
 * </pre>
 *
 * A coordinator's transactions come one after the other; few bits tell neighbours apart.
 */
public final class TransactionId {
  /** Most slots of a compute node. */
  public static final int SLOTS = 1 << 12;

  private static final int COUNT_BITS = 22;
  private static final int SLOT_BITS = 12;

  private TransactionId() {}

  /**
   * Name of a transaction.
   *
   * @param node number of the compute node, of 21 bits
   * @param count how many there were before in the slot, of which the lower bits count
   */
  public static long of(long node, int slot, long count) {
    return (node << SLOT_BITS | slot) << COUNT_BITS | count & (1L << COUNT_BITS) - 1;
  }

  /** The coordinator: its compute node, and its slot. */
  public static long coordinator(long transaction) {
    return transaction >>> COUNT_BITS;
  }

  /** The slot of the coordinator in its compute node. */
  public static int slot(long transaction) {
    return (int) (transaction >>> COUNT_BITS) & SLOTS - 1;
  }
}
