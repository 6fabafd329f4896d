package org.nelumbo.dm.superblock;

/**
 * A compute node in the table of those that have a pool open.
 *
 * @param number its number in latches and transactions, which is never used again
 * @param entry index of its entry in the table
 */
public record ComputeNodeEntry(int number, int entry) {
  /** The compute node that has attached exclusively; others may have joined since. */
  public static final ComputeNodeEntry SOLE = new ComputeNodeEntry(1, 0);

  /** Returns true if this compute node attached exclusively. */
  public boolean isSole() {
    return equals(SOLE);
  }
}
