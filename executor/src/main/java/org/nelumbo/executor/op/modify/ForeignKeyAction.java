package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.OutcomeChecks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * ON DELETE or ON UPDATE of a foreign key. When a referenced row is deleted, or its key changes,
 * the referring rows are deleted or changed, and then their own constraints are checked. All
 * referring rows are found, with WRITE locks, before the first one is changed. A chain of actions
 * may return to the same table; each level has its own copy of the action, created on first use.
 */
public final class ForeignKeyAction extends RowConstraint {
  private static final int MOST_LEVELS = 500;

  private final Definition definition;
  private final Operator probe;

  /** Constraints of the changed rows; filled after construction. */
  private final List<RowConstraint> following;

  private RowConstraint[] followingCopies;
  private int level;
  private MaterializedRows rows;
  private RowWriter writer;
  private RowAssignments assignments;
  private final RowBuffer newImage = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private final KeyBuffer newKey = new KeyBuffer();

  /** Primary keys of the rows whose new values were written by this statement. */
  private BytesHashTable changed;

  /**
   * The definition of an action.
   *
   * @param keys referenced values, in the row that is deleted or changed
   * @param newValues new referenced values, in the new row; null for a deletion
   * @param keySlots frame slots from which the probe takes the keys
   * @param newSlots frame slots from which {@code values} take the new values
   * @param child referring table
   * @param row frame row that shows a referring row
   * @param newRow frame row that shows its new image; -1 if it is deleted
   * @param columns columns that are set in it
   * @param values value of each of these columns
   * @param generated number of the last columns whose values are computed from the new row
   */
  public record Definition(
      Expression[] keys,
      Expression[] newValues,
      int[] keySlots,
      int[] newSlots,
      TableStore child,
      int row,
      int newRow,
      int[] columns,
      Expression[] values,
      int generated) {}

  /**
   * Creates an action.
   *
   * @param probe operator that finds the referring rows
   * @param following constraints of the changed rows; may be filled later
   */
  public ForeignKeyAction(Definition definition, Operator probe, List<RowConstraint> following) {
    this.definition = definition;
    this.probe = probe;
    this.following = following;
  }

  @Override
  RowConstraint copy() {
    return new ForeignKeyAction(definition, Operator.Copier.PLAIN.copy(probe), following);
  }

  @Override
  boolean changes(TableStore table) {
    return changes(table, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /** The chain of actions may return to this one. */
  private boolean changes(TableStore table, Set<List<RowConstraint>> seen) {
    if (definition.child == table) {
      return true;
    }
    return seen.add(following)
        && following.stream()
            .anyMatch(
                each -> each instanceof ForeignKeyAction action && action.changes(table, seen));
  }

  @Override
  void check(Frame frame, Transaction transaction, boolean prefetched) {
    if (!takeKeys(frame)) {
      return;
    }
    transaction.discardReadAhead();
    collect(frame, transaction);
    for (int i = 0; i < rows.size(); i++) {
      frame.limits().work(1);
      rows.restore(i, frame);
      boolean done = deletes() ? delete(frame, transaction) : update(frame, transaction);
      for (int j = 0; done && j < followingCopies.length; j++) {
        rows.restore(i, frame);
        followingCopies[j].check(frame, transaction, false);
      }
    }
    rows.release();
  }

  private boolean deletes() {
    return definition.newRow < 0;
  }

  private boolean takeKeys(Frame frame) {
    for (Expression each : definition.keys) {
      if (each.isNull(frame)) {
        return false;
      }
    }
    for (int i = 0; i < definition.keys.length; i++) {
      frame.setSlot(definition.keySlots[i], definition.keys[i]);
      if (definition.newValues != null) {
        frame.setSlot(definition.newSlots[i], definition.newValues[i]);
      }
    }
    return true;
  }

  private void collect(Frame frame, Transaction transaction) {
    if (rows == null) {
      FrameFields row = FrameFields.ofRow(definition.row);
      rows =
          new MaterializedRows(
              deletes() ? row : row.union(FrameFields.ofRow(definition.newRow)),
              frame,
              "a foreign key's action");
      changed = new BytesHashTable(frame.limits().newAccount("a foreign key's action"));
      writer = new RowWriter(definition.child.layout());
      assignments =
          new RowAssignments(
              definition.child.layout(),
              definition.columns,
              definition.values,
              definition.generated);
    }
    rows.release();
    probe.open(frame, transaction);
    while (probe.next()) {
      definition.child.layout().keyOf(frame.row(definition.row), key);
      if (changed.find(key.bytes, 0, key.length) < 0) {
        build(frame);
        rows.add(frame);
      }
    }
    probe.close();
    if (followingCopies == null && rows.size() > 0) {
      copyFollowing();
    }
  }

  private void build(Frame frame) {
    if (!deletes()) {
      RowBuffer old = frame.row(definition.row);
      writer.beginFrom(old.bytes, old.offset, old.length);
      RowBuffer shown = frame.row(definition.newRow);
      assignments.write(frame, writer, newKey, newImage, shown);
      frame.row(definition.newRow).wrap(newImage);
    }
  }

  private void copyFollowing() {
    if (level == MOST_LEVELS) {
      throw new NelumboException(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "foreign keys' actions follow each other more than "
              + MOST_LEVELS
              + " levels deep; delete or change the referring rows first");
    }
    followingCopies = RowConstraint.copy(following.toArray(RowConstraint[]::new));
    for (RowConstraint copy : followingCopies) {
      if (copy instanceof ForeignKeyAction action) {
        action.level = level + 1;
      }
    }
  }

  private boolean delete(Frame frame, Transaction transaction) {
    definition.child.layout().keyOf(frame.row(definition.row), key);
    return OutcomeChecks.found(
        transaction, transaction.delete(definition.child, key), definition.child, key);
  }

  private boolean update(Frame frame, Transaction transaction) {
    TableStore child = definition.child;
    RowBuffer image = frame.row(definition.newRow);
    child.layout().keyOf(frame.row(definition.row), key);
    child.layout().keyOf(image, newKey);
    Outcome status;
    if (key.length == newKey.length
        && Arrays.equals(key.bytes, 0, key.length, newKey.bytes, 0, newKey.length)) {
      status = transaction.update(child, newKey, image);
    } else {
      if (!OutcomeChecks.found(transaction, transaction.delete(child, key), child, key)) {
        return false;
      }
      status = transaction.insert(child, newKey, image);
    }
    if (status == Outcome.DUPLICATE) {
      throw ConstraintViolations.duplicate(
          child, transaction.violatedIndex(), definition.newRow, frame);
    }
    changed.add(newKey.bytes, 0, newKey.length);
    return OutcomeChecks.found(transaction, status, child, newKey);
  }

  @Override
  void close() {
    probe.close();
    if (rows != null) {
      rows.release();
      changed.release();
    }
    if (followingCopies != null) {
      RowConstraint.closeAll(followingCopies);
    }
  }
}
