package org.nelumbo.executor.op.modify;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/**
 * Fills a new table, which other sessions cannot see yet, with the rows of its source. It writes
 * through a transaction of another coordinator and commits every thousand rows, so neither the
 * number of rows nor the reads of the source's transaction limit it. If it fails, the rows written
 * so far remain, to be dropped with the table.
 */
public final class BulkInsert extends Operator {
  private static final int ROWS_PER_TRANSACTION = 1_000;

  private final Operator source;
  private final TableStore table;
  private final int row;
  private final Insert.Definition definition;
  private final RowAssignments rowAssignments;
  private final Transaction writer;
  private final RowWriter image;
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private int written;

  /**
   * Creates an insert into a new table.
   *
   * @param row frame row that shows the new image
   * @param definition columns, values, and constraints that concern a single row; all other
   *     constraints are checked elsewhere
   * @param writer transaction of a coordinator that is not used for anything else meanwhile
   */
  public BulkInsert(
      Operator source,
      TableStore table,
      int row,
      Insert.Definition definition,
      Transaction writer) {
    this.source = source;
    this.table = table;
    this.row = row;
    this.definition = definition;
    this.rowAssignments =
        new RowAssignments(
            table.layout(), definition.columns(), definition.values(), definition.generated());
    this.writer = writer;
    this.image = new RowWriter(table.layout());
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    written = 0;
    source.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    if (!source.next()) {
      commit();
      return false;
    }
    if (!writer.isActive()) {
      writer.begin(Isolation.SERIALIZABLE, false);
    }
    image.begin();
    rowAssignments.write(frame, image, key, frame.row(row), frame.row(row));
    for (RowConstraint constraint : definition.constraints()) {
      constraint.check(frame, writer, false);
    }
    Outcome status = writer.insert(table, key, frame.row(row));
    if (status == Outcome.DUPLICATE) {
      throw ConstraintViolations.duplicate(table, writer.violatedIndex(), row, frame);
    } else if (status != Outcome.OK) {
      throw writer.failure(status);
    }
    if (++written == ROWS_PER_TRANSACTION) {
      commit();
    }
    return true;
  }

  private void commit() {
    written = 0;
    if (writer.isActive()) {
      Outcome status = writer.commit();
      if (status != Outcome.OK) {
        throw writer.failure(status);
      }
    }
  }

  @Override
  public void close() {
    source.close();
    writer.abort();
  }

  @Override
  public Operator copy(Copier copier) {
    return new BulkInsert(copier.copy(source), table, row, definition, writer);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofRow(row);
  }

  @Override
  public String explain() {
    return "BulkInsert(" + table.schema() + ": " + rowAssignments.explain(table.layout()) + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(source);
  }
}
