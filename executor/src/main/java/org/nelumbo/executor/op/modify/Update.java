package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
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
 * Changes the rows its source stands on, and stands on the new images.
 *
 * <p>Uniqueness counts at the end of the statement: {@code SET id = id + 1} works whatever the
 * order of the rows. So a row whose primary key changes, or whose new value of a unique index is
 * taken for the moment, is set aside: when the source is exhausted all these rows are deleted, then
 * inserted anew.
 */
public final class Update extends Operator {
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
  private final KeyBuffer oldKey = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;

  /** Rows set aside: old and new image. */
  private MaterializedRows deferred;

  private boolean sourceDone;
  private int reinserted;

  /**
   * The columns that an update sets, their values, and the constraints.
   *
   * @param oldRow the frame's row that shows the row as it is
   * @param newRow the frame's row that shows the new image
   * @param columns ordinals of the columns to set
   * @param values of each of them, over the source's row; cast to the column's type here
   * @param constraints what has to hold; they may refer to both images
   * @param generated how many of the columns, the last ones, get values over the new row
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
   * An update of the rows of a source.
   *
   * @param source stands on the rows, which it has read with WRITE locks
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
  }

  /** Whether changing a row may change other rows of the table. */
  boolean changesOthers() {
    return RowConstraint.anyChanges(constraints, table);
  }

  /** The constraints, and one that foretells what {@link Transaction#update} will look for. */
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
    reinserted = 0;
    if (deferred != null) {
      deferred.release();
    }
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
    if (reinsertOne()) {
      return true;
    }
    rows.checkRest();
    return false;
  }

  /** Changes the source's row; false if it was set aside or is gone. */
  private boolean changeOne() {
    build();
    if (changesKey && writer.keyChanged()) {
      defer();
      return false;
    }
    Outcome status = transaction.update(table, key, newImage);
    if (status == Outcome.OK) {
      rows.check(true);
      return true;
    } else if (status == Outcome.DUPLICATE) {
      defer();
      return false;
    }
    return OutcomeChecks.found(transaction, status, table, key);
  }

  /** Makes the frame show the source's row as it will be. */
  private void build() {
    RowBuffer old = frame.row(definition.oldRow);
    writer.beginFrom(old.bytes, old.offset, old.length);
    rowAssignments.write(frame, writer, key, newImage, frame.row(definition.newRow));
    frame.limits().workOnText(newImage.length);
    frame.row(definition.newRow).wrap(newImage);
  }

  private void defer() {
    if (deferred == null) {
      FrameFields both =
          FrameFields.ofRow(definition.oldRow).union(FrameFields.ofRow(definition.newRow));
      deferred = new MaterializedRows(both, frame, "UPDATE");
    }
    deferred.add(frame);
  }

  private void deleteDeferred() {
    int count = deferred == null ? 0 : deferred.size();
    for (int i = 0; i < count; i++) {
      frame.limits().work(1);
      deferred.restore(i, frame);
      table.layout().keyOf(frame.row(definition.oldRow), oldKey);
      OutcomeChecks.found(transaction, transaction.delete(table, oldKey), table, oldKey);
    }
  }

  private boolean reinsertOne() {
    if (deferred == null || reinserted == deferred.size()) {
      return false;
    }
    deferred.restore(reinserted++, frame);
    RowBuffer image = frame.row(definition.newRow);
    table.layout().keyOf(image, key);
    Outcome status = transaction.insert(table, key, image);
    if (status == Outcome.DUPLICATE) {
      throw ConstraintViolations.duplicate(
          table, transaction.violatedIndex(), definition.newRow, frame);
    }
    OutcomeChecks.requireOk(transaction, status, table, key);
    rows.check(false);
    return true;
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
    reinserted = 0;
    if (deferred != null) {
      deferred.release();
    }
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
