package org.nelumbo.executor.op.modify;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.ConflictLocations;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * ON CONFLICT with a key: skips a new row whose key exists, or updates the existing row. A row that
 * the statement itself has written cannot be updated, so the order of the rows does not matter. Not
 * thread-safe.
 */
public final class ConflictResolution {
  private final TableStore table;
  private final IndexStore key;
  private final Operator existing;
  private final Action action;
  private final Update update;
  private final KeyBuffer rowKey = new KeyBuffer();

  /** Primary keys of the rows that the statement has written or deferred. */
  private BytesHashTable written;

  /**
   * The action of DO UPDATE.
   *
   * @param condition condition for the rows to be updated; null for all
   */
  public record Action(Update.Definition update, Expression condition) {}

  /**
   * Creates a conflict resolution.
   *
   * @param key unique index whose conflicts are resolved; null for the primary key
   * @param existing operator that finds the row with the key of the new row, with a WRITE lock
   * @param action action; null if new rows are skipped
   */
  public ConflictResolution(TableStore table, IndexStore key, Operator existing, Action action) {
    this.table = table;
    this.key = key;
    this.existing = existing;
    this.action = action;
    this.update = action == null ? null : new Update(new SingleRow(), table, action.update);
  }

  ConflictResolution copy() {
    return new ConflictResolution(table, key, Operator.Copier.PLAIN.copy(existing), action);
  }

  void open(Frame frame, Transaction transaction) {
    if (written == null) {
      written = new BytesHashTable(frame.limits().newAccount("ON CONFLICT"));
    }
    written.release();
    if (update != null) {
      update.open(frame, transaction);
    }
  }

  void close() {
    existing.close();
    if (update != null) {
      update.close();
    }
    if (written != null) {
      written.release();
    }
  }

  /** Records a row that was inserted. */
  void inserted(KeyBuffer newKey) {
    written.add(newKey.bytes, 0, newKey.length);
  }

  /**
   * Finds the existing row with the key of the frame's new row, and shows it in the frame. Returns
   * false if there is none, because the conflict concerns another key.
   */
  boolean finds(Frame frame, Transaction transaction) {
    IndexStore violated = transaction.violatedIndex();
    existing.open(frame, transaction);
    boolean found = existing.next();
    if (!found && isKey(violated)) {
      throw transaction.failure(
          Outcome.CONFLICT,
          ConflictLocations.ofTable(table)); // inserted after the snapshot, or deleted again
    }
    if (!found) {
      existing.close();
    }
    return found;
  }

  /**
   * Resolves the conflict with the row found.
   *
   * @param row frame row of the new image; shows the updated row afterwards
   * @return true if a row was updated; false also if its update was deferred
   */
  boolean resolve(int row, Frame frame) {
    boolean updated = action != null && wanted(frame) && update(row, frame);
    existing.close();
    return updated;
  }

  private boolean isKey(IndexStore violated) {
    boolean primary = violated == null || violated.schema() == null;
    return key == null ? primary : !primary && violated.schema().id() == key.schema().id();
  }

  private boolean wanted(Frame frame) {
    return action.condition == null || action.condition.isTrue(frame);
  }

  private boolean update(int row, Frame frame) {
    table.layout().keyOf(frame.row(action.update.oldRow()), rowKey);
    if (written.find(rowKey.bytes, 0, rowKey.length) >= 0) {
      throw new NelumboException(
          ErrorCode.CARDINALITY,
          "ON CONFLICT DO UPDATE would change a row of "
              + table.schema().name()
              + " twice; give each key once");
    }
    inserted(rowKey);
    boolean updated = update.changeInTurn();
    if (updated) {
      frame.row(row).wrap(frame.row(action.update.newRow()));
    }
    return updated;
  }

  void deleteDeferred() {
    if (update != null) {
      update.deleteDeferred();
    }
  }

  /** Changes the next deferred row, which the frame row then shows. */
  boolean changeDeferred(int row, Frame frame) {
    boolean changed = update != null && update.changeDeferred();
    if (changed) {
      frame.row(row).wrap(frame.row(action.update.newRow()));
    }
    return changed;
  }

  void finishChecks() {
    if (update != null) {
      update.finishChecks();
    }
  }

  String explain() {
    String name = key == null ? "primary key" : key.schema().name();
    return ", on conflict of " + name + (update == null ? " skip" : " " + update.explain());
  }
}
