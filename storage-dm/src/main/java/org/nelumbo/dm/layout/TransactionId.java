package org.nelumbo.dm.layout;

/**
 * The id of a transaction while it commits: its compute node, the slot of its coordinator there,
 * and a count.
 *
 * <pre>
 *  63    55 54                34 33        22 21            0
 *  +-------+--------------------+------------+---------------+
 *  |   0   | number of the node |    slot    |     count     |
 *  +-------+--------------------+------------+---------------+
 * </pre>
 *
 * A coordinator runs its transactions one after the other, so a few bits distinguish neighbours.
 */
public final class TransactionId {
  /** Maximum number of slots of a compute node. */
  public static final int SLOTS = 1 << 12;

  private static final int COUNT_BITS = 22;
  private static final int SLOT_BITS = 12;

  private TransactionId() {}

  /**
   * Returns the id of a transaction.
   *
   * @param node number of the compute node, of 21 bits
   * @param count number of earlier transactions of the slot, of which only the lower bits are used
   */
  public static long of(long node, int slot, long count) {
    return (node << SLOT_BITS | slot) << COUNT_BITS | count & (1L << COUNT_BITS) - 1;
  }

  /** Returns the coordinator of a transaction: its compute node and its slot. */
  public static long coordinator(long transaction) {
    return transaction >>> COUNT_BITS;
  }

  /** Returns the slot of the coordinator in its compute node. */
  public static int slot(long transaction) {
    return (int) (transaction >>> COUNT_BITS) & SLOTS - 1;
  }
}
