package org.nelumbo.executor.op.core;

import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/** Checks outcomes of the transaction, and throws the failure that belongs to one. */
public final class OutcomeChecks {
  private OutcomeChecks() {}

  /**
   * Whether the outcome is OK; false for NOT_FOUND, and every other outcome is thrown.
   *
   * @param key of the row that was read or changed
   */
  public static boolean found(
      Transaction transaction, Outcome status, TableStore table, KeyBuffer key) {
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    requireOk(transaction, status, table, key);
    return true;
  }

  /** {@link #found} of a scan of an index. */
  public static boolean found(Transaction transaction, Outcome status, IndexStore index) {
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    requireOk(transaction, status, index);
    return true;
  }

  /** {@link #found} of a scan of a table. */
  public static boolean found(Transaction transaction, Outcome status, TableStore table) {
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    requireOk(transaction, status, table);
    return true;
  }

  /** Throws unless the outcome is OK. */
  public static void requireOk(Transaction transaction, Outcome status) {
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }

  /** Throws unless the outcome of reading rows of a table is OK. */
  public static void requireOk(Transaction transaction, Outcome status, TableStore table) {
    if (status != Outcome.OK) {
      throw transaction.failure(status, ConflictPlaces.ofTable(table));
    }
  }

  /** Throws unless the outcome of scanning an index is OK. */
  public static void requireOk(Transaction transaction, Outcome status, IndexStore index) {
    if (status != Outcome.OK) {
      throw transaction.failure(status, ConflictPlaces.ofIndex(index));
    }
  }

  /**
   * Throws unless the outcome is OK.
   *
   * @param key of the row that was read or changed
   */
  public static void requireOk(
      Transaction transaction, Outcome status, TableStore table, KeyBuffer key) {
    if (status != Outcome.OK) {
      throw transaction.failure(status, ConflictPlaces.ofRow(table, key));
    }
  }
}
