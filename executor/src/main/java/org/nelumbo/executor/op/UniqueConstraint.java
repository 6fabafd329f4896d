package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * UNIQUE, where rows are changed. {@link Transaction#update} checks it, whatever the statement;
 * this only foretells which values it will look for, so that those of many rows are looked for
 * together.
 */
final class UniqueConstraint extends RowConstraint {
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
  UniqueConstraint(TableStore table, int oldRow, int newRow, int[] columns) {
    this.table = table;
    this.oldRow = oldRow;
    this.newRow = newRow;
    this.columns = columns;
  }

  @Override
  Foresight foresight() {
    for (IndexStore index : table.indexes()) {
      if (index.schema().unique() && Halloween.intersects(index.schema().columns(), columns)) {
        return Foresight.VALUES;
      }
    }
    return Foresight.NONE;
  }

  @Override
  void foresee(Frame frame, ReadAhead ahead) {
    ahead.transaction().claims().add(table, frame.row(oldRow), frame.row(newRow));
  }

  @Override
  void complete(Frame frame, Transaction transaction) {
    Failures.check(transaction, transaction.claims().claim());
  }

  @Override
  void check(Frame frame, Transaction transaction, boolean foreseen) {
    // the update has
  }

  @Override
  RowConstraint copy() {
    return this;
  }
}
