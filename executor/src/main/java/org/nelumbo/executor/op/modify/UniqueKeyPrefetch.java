package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * Announces the unique index values that an UPDATE will check, so that the values of many rows are
 * looked up together. {@link Transaction#update} performs the check itself.
 */
final class UniqueKeyPrefetch extends RowConstraint {
  private final TableStore table;
  private final int oldRow;
  private final int newRow;
  private final int[] columns;

  /**
   * Creates the prefetch for an UPDATE that does not change the primary key; if the key changes,
   * rows are deleted, and inserted again after all others.
   *
   * @param oldRow frame row of the old image
   * @param newRow frame row of the new image
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
    // checked by the update
  }

  @Override
  RowConstraint copy() {
    return this;
  }
}
