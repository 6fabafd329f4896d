package org.nelumbo.executor.op.modify;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.ConflictPlaces;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * What ON CONFLICT with a key does about a row whose key is there: leaves the new row out, or
 * updates the one that is there. A row that the statement has written itself cannot be updated, so
 * that the order of the rows does not matter. Not thread-safe.
 */
public final class ConflictResolution {
  private final TableStore table;
  private final IndexStore key;
  private final Operator existing;
  private final Action action;
  private final Update update;
  private final KeyBuffer rowKey = new KeyBuffer();

  /** Primary keys of the rows that the statement has written or set aside. */
  private BytesHashTable written;

  /**
   * What DO UPDATE does.
   *
   * @param condition which rows are updated; null: all
   */
  public record Action(Update.Definition update, Expression condition) {}

  /**
   * A resolution.
   *
   * @param key the unique index whose conflicts are meant; null for the primary key
   * @param existing finds the row that has the key of the new one, with a WRITE lock
   * @param action null: new rows are left out
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

  /** Notes a row that was inserted. */
  void inserted(KeyBuffer newKey) {
    written.add(newKey.bytes, 0, newKey.length);
  }

  /**
   * Finds the row that has the key of the new row that the frame shows, and shows it; false if
   * there is none, since another key made the conflict.
   */
  boolean finds(Frame frame, Transaction transaction) {
    IndexStore violated = transaction.violatedIndex();
    existing.open(frame, transaction);
    boolean found = existing.next();
    if (!found && isKey(violated)) {
      throw transaction.failure(
          Outcome.CONFLICT,
          ConflictPlaces.ofTable(table)); // it came after the snapshot, or is gone again
    }
    if (!found) {
      existing.close();
    }
    return found;
  }

  /**
   * Resolves the conflict with the row found.
   *
   * @param row the frame's row that shows the new image; shows the updated one then
   * @return whether a row was updated; it may have been set aside
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

  /** Changes the next row that was set aside; the row of the frame shows it then. */
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
