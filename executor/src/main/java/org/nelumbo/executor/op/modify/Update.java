package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * Changes the current rows of its source, and shows the new images.
 *
 * <p>Uniqueness is checked at the end of the statement: {@code SET id = id + 1} works in any order
 * of the rows. A row whose primary key changes, or whose new value of a unique index is currently
 * taken, is therefore deferred ({@link DeferredRows}).
 */
public final class Update extends Operator implements RowChange {
  private final Operator source;
  private final TableStore table;
  private final Definition definition;
  private final RowAssignments rowAssignments;
  private final RowConstraint[] constraints;
  private final ModifySource rows;
  private final boolean changesKey;
  private final RowWriter writer;
  private final RowBuffer newImage = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final DeferredRows deferred;
  private Frame frame;
  private Transaction transaction;
  private boolean sourceDone;

  /**
   * The columns that an update sets, their values, and the constraints.
   *
   * @param oldRow frame row of the old image
   * @param newRow frame row of the new image
   * @param columns ordinals of the columns to set
   * @param values value of each column over the source's row; cast to the column's type here
   * @param constraints constraints, which may refer to both images
   * @param generated number of the last columns whose values are computed from the new row
   */
  public record Definition(
      int oldRow,
      int newRow,
      int[] columns,
      Expression[] values,
      RowConstraint[] constraints,
      int generated) {
    public Definition(
        int oldRow, int newRow, int[] columns, Expression[] values, RowConstraint[] constraints) {
      this(oldRow, newRow, columns, values, constraints, 0);
    }

    public Definition(int oldRow, int newRow, int[] columns, Expression[] values) {
      this(oldRow, newRow, columns, values, new RowConstraint[0]);
    }
  }

  /**
   * Creates an update of the rows of a source.
   *
   * @param source operator whose rows are updated; it has read them with WRITE locks
   */
  public Update(Operator source, TableStore table, Definition definition) {
    this(table, definition, Halloween.forUpdate(source, table, definition.columns));
  }

  private Update(TableStore table, Definition definition, Operator source) {
    this.source = source;
    this.table = table;
    this.definition = definition;
    this.rowAssignments =
        new RowAssignments(
            table.layout(), definition.columns, definition.values, definition.generated);
    this.constraints = RowConstraint.copy(definition.constraints);
    boolean key = false;
    for (int column : definition.columns) {
      key |= table.layout().keyPosition(column) >= 0;
    }
    this.changesKey = key;
    FrameFields shown =
        FrameFields.ofRow(definition.oldRow).union(FrameFields.ofRow(definition.newRow));
    this.rows = new ModifySource(source, table, withUnique(), shown, this::build);
    this.writer = new RowWriter(table.layout());
    this.deferred = new DeferredRows(table, definition.oldRow, definition.newRow, "UPDATE");
  }

  /**
   * Returns the constraints, and one that announces the unique values that {@link
   * Transaction#update} will check.
   */
  private RowConstraint[] withUnique() {
    if (changesKey) {
      return constraints;
    }
    RowConstraint[] all = Arrays.copyOf(constraints, constraints.length + 1);
    all[constraints.length] =
        new UniqueKeyPrefetch(table, definition.oldRow, definition.newRow, definition.columns);
    return all;
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    sourceDone = false;
    deferred.open(newFrame, newTransaction);
    rows.open(newFrame, newTransaction);
  }

  @Override
  public boolean next() {
    while (!sourceDone) {
      frame.limits().work(1);
      if (!rows.next()) {
        sourceDone = true;
        deleteDeferred();
      } else if (changeOne()) {
        return true;
      }
    }
    if (changeDeferred()) {
      return true;
    }
    finishChecks();
    return false;
  }

  @Override
  public boolean changeInTurn() {
    rows.prefetchOne();
    return changeOne();
  }

  /** Returns false if the row was deferred or no longer exists. */
  private boolean changeOne() {
    build();
    if (changesKey && writer.keyChanged()) {
      deferred.add();
      return false;
    }
    Outcome status = transaction.update(table, key, newImage);
    if (status == Outcome.OK) {
      rows.check(true);
      return true;
    } else if (status == Outcome.DUPLICATE) {
      deferred.add();
      return false;
    }
    return OutcomeChecks.found(transaction, status, table, key);
  }

  private void build() {
    RowBuffer old = frame.row(definition.oldRow);
    writer.beginFrom(old.bytes, old.offset, old.length);
    rowAssignments.write(frame, writer, key, newImage, frame.row(definition.newRow));
    frame.limits().workOnText(newImage.length);
    frame.row(definition.newRow).wrap(newImage);
  }

  @Override
  public void deleteDeferred() {
    deferred.deleteOld();
  }

  @Override
  public boolean changeDeferred() {
    boolean changed = deferred.insertNext();
    if (changed) {
      rows.check(false);
    }
    return changed;
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
    sourceDone = true;
    deferred.release();
  }

  @Override
  public Operator copy(Copier copier) {
    return new Update(table, definition, copier.copy(source));
  }

  @Override
  public FrameFields output() {
    return source.output().union(FrameFields.ofRow(definition.newRow));
  }

  @Override
  public String explain() {
    return "Update(" + table.schema() + ": " + rowAssignments.explain(table.layout()) + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(source);
  }
}
