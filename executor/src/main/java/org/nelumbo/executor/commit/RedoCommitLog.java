package org.nelumbo.executor.commit;

import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.executor.context.CoordinatorContext;

/** A log of the rows that transactions write, in frames of bounded length. */
abstract class RedoCommitLog extends CommitLog {
  final RedoEntry entry = new RedoEntry();

  RedoCommitLog(CoordinatorContext context, Durability durability) {
    super(context, durability);
  }

  /**
   * Encodes the written rows. When this returns, the log has all frames except the last; the last
   * one is placed in the log together with the commit timestamp.
   */
  @Override
  void record(WriteSet writes, long transaction) {
    boolean isWhole = false;
    try {
      entry.begin();
      for (int row = 0; row < writes.size(); row++) {
        if (writes.isWritten(row)) {
          if (entry.isFull()) {
            append(transaction);
          }
          entry.add(
              writes.table(row).id(),
              writes.images(),
              writes.imageOffset(row),
              writes.keyLength(row),
              writes.imageLength(row),
              !writes.isPresent(row));
        }
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        forget(transaction); // checkpoints wait for a transaction that has rows in the log
      }
    }
  }

  /** Appends a full frame of a transaction that has more rows, and clears the entry. */
  abstract void append(long transaction);

  /** Records in the log that the transaction does not commit. */
  abstract void forget(long transaction);
}
