package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * Tells in advance which values of unique indexes an UPDATE will look for, so that those of many
 * rows are looked for together. {@link Transaction#update} makes the check itself, whatever the
 * statement.
 */
final class UniqueKeyPrefetch extends RowConstraint {
  private final TableStore table;
  private final int oldRow;
  private final int newRow;
  private final int[] columns;

  /**
   * For an UPDATE that does not change the primary key: else rows are deleted, and inserted anew
   * after all others.
   *
   * @param oldRow the frame's row that shows a row as it is
   * @param newRow the frame's row that shows the new image
   * @param columns ordinals of the columns that are set
   */
  UniqueKeyPrefetch(TableStore table, int oldRow, int newRow, int[] columns) {
    this.table = table;
    this.oldRow = oldRow;
    this.newRow = newRow;
    this.columns = columns;
  }

  @Override
  PrefetchKind prefetchKind() {
    for (IndexStore index : table.indexes()) {
      if (index.schema().unique() && Halloween.intersects(index.schema().columns(), columns)) {
        return PrefetchKind.VALUES;
      }
    }
    return PrefetchKind.NONE;
  }

  @Override
  void collectPrefetch(Frame frame, Transaction transaction, ReadAhead ahead) {
    transaction.reservations().add(table, frame.row(oldRow), frame.row(newRow));
  }

  @Override
  void batchComplete(Frame frame, Transaction transaction) {
    OutcomeChecks.requireOk(transaction, transaction.reservations().reserve());
  }

  @Override
  void check(Frame frame, Transaction transaction, boolean prefetched) {
    // the update has
  }

  @Override
  RowConstraint copy() {
    return this;
  }
}
