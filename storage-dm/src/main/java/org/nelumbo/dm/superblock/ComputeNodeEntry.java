package org.nelumbo.dm.superblock;

/**
 * A compute node in the table of those that have a pool open.
 *
 * @param number names it in latches and transactions, and is never used again
 * @param entry its place in the table
 */
public record ComputeNodeEntry(int number, int entry) {
  /** One that has attached alone; others may have come since. */
  public static final ComputeNodeEntry SOLE = new ComputeNodeEntry(1, 0);

  /** Whether it has attached alone. */
  public boolean isSole() {
    return equals(SOLE);
  }
}
