package org.nelumbo.executor.op.modify;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/** Deletes the current rows of its source, and shows their old images. */
public final class Delete extends Operator implements RowChange {
  private final Operator source;
  private final TableStore table;
  private final int row;
  private final RowConstraint[] constraints;
  private final ModifySource rows;
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;

  /**
   * Creates a delete of the rows of a source.
   *
   * @param source operator whose rows are deleted; it has read them with WRITE locks
   * @param row frame row that shows them
   * @param constraints constraints to be checked for a deleted row
   */
  public Delete(Operator source, TableStore table, int row, RowConstraint... constraints) {
    this(table, row, constraints, Halloween.forDelete(source, table));
  }

  private Delete(TableStore table, int row, RowConstraint[] constraints, Operator source) {
    this.source = source;
    this.table = table;
    this.row = row;
    this.constraints = RowConstraint.copy(constraints);
    this.rows = new ModifySource(source, table, this.constraints, FrameFields.ofRow(row), () -> {});
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    rows.open(newFrame, newTransaction);
  }

  @Override
  public boolean next() {
    while (rows.next()) {
      frame.limits().work(1);
      if (deleteOne()) {
        return true;
      }
    }
    finishChecks();
    return false;
  }

  @Override
  public boolean changeInTurn() {
    rows.prefetchOne();
    return deleteOne();
  }

  private boolean deleteOne() {
    table.layout().keyOf(frame.row(row), key);
    boolean found = OutcomeChecks.found(transaction, transaction.delete(table, key), table, key);
    if (found) {
      rows.check(true);
    }
    return found;
  }

  @Override
  public void deleteDeferred() {}

  @Override
  public boolean changeDeferred() {
    return false;
  }

  @Override
  public void finishChecks() {
    rows.checkRest();
  }

  @Override
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    source.collectHints(present, prefetchHints);
    RowConstraint.collectAllHints(constraints, present, prefetchHints);
  }

  @Override
  public void close() {
    rows.close();
  }

  @Override
  public Operator copy(Copier copier) {
    return new Delete(table, row, constraints, copier.copy(source));
  }

  @Override
  public FrameFields output() {
    return source.output();
  }

  @Override
  public String explain() {
    return "Delete(" + table.schema() + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(source);
  }
}
