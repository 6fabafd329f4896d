package org.nelumbo.executor.op.access;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;

/**
 * Reads all rows of a table without an ordered index through its hash index, in no particular
 * order.
 */
public final class FullTableScan extends AccessOperator {
  private final TableStore table;
  private final LockMode lockMode;
  private Frame frame;
  private Transaction transaction;
  private Transaction scanOf;
  private TableScan scan;
  private boolean isOpen;

  private FullTableScan(TableStore table, int row, LockMode lockMode) {
    super(row);
    this.table = table;
    this.lockMode = lockMode;
  }

  /**
   * Returns an operator that reads a whole table: through the primary index if the table is
   * ordered, otherwise through its hash index.
   */
  public static Operator of(TableStore table, int row, LockMode lockMode) {
    return table.primary() == null
        ? new FullTableScan(table, row, lockMode)
        : new IndexRangeScan(table.primary(), row, IndexRangeScan.Definition.full(lockMode));
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    close();
    frame = newFrame;
    transaction = newTransaction;
    if (scanOf != newTransaction) {
      scan = newTransaction.newTableScan();
      scanOf = newTransaction;
    }
    isOpen = true;
    OutcomeChecks.requireOk(newTransaction, scan.open(table, lockMode), table);
  }

  @Override
  public boolean next() {
    if (!isOpen) {
      return false;
    }
    Outcome status = scan.next(frame.row(row));
    if (status == Outcome.OK) {
      return true;
    }
    close();
    return OutcomeChecks.found(transaction, status, table);
  }

  @Override
  public void close() {
    if (isOpen) {
      isOpen = false;
      scan.close();
    }
  }

  @Override
  public Operator copy(Copier copier) {
    return new FullTableScan(table, row, lockMode);
  }

  @Override
  public TableAccess tableAccess() {
    return TableAccess.byScan(table);
  }

  @Override
  public String explain() {
    return "TableScan(" + table.schema() + ExplainFormat.lock(lockMode) + ")";
  }
}
