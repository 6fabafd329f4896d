package org.nelumbo.executor.op.core;

import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/** Converts outcomes of a transaction to exceptions. */
public final class OutcomeChecks {
  private OutcomeChecks() {}

  /**
   * Returns true for OK and false for NOT_FOUND; throws the failure of every other outcome.
   *
   * @param key key of the row that was read or changed
   */
  public static boolean found(
      Transaction transaction, Outcome status, TableStore table, KeyBuffer key) {
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    requireOk(transaction, status, table, key);
    return true;
  }

  /** Performs the check of {@link #found} for a scan of an index. */
  public static boolean found(Transaction transaction, Outcome status, IndexStore index) {
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    requireOk(transaction, status, index);
    return true;
  }

  /** Performs the check of {@link #found} for a scan of a table. */
  public static boolean found(Transaction transaction, Outcome status, TableStore table) {
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    requireOk(transaction, status, table);
    return true;
  }

  /** Throws the failure of an outcome other than OK. */
  public static void requireOk(Transaction transaction, Outcome status) {
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }

  /** Throws the failure of reading rows of a table unless the outcome is OK. */
  public static void requireOk(Transaction transaction, Outcome status, TableStore table) {
    if (status != Outcome.OK) {
      throw transaction.failure(status, ConflictLocations.ofTable(table));
    }
  }

  /** Throws the failure of scanning an index unless the outcome is OK. */
  public static void requireOk(Transaction transaction, Outcome status, IndexStore index) {
    if (status != Outcome.OK) {
      throw transaction.failure(status, ConflictLocations.ofIndex(index));
    }
  }

  /**
   * Throws the failure of an outcome other than OK.
   *
   * @param key key of the row that was read or changed
   */
  public static void requireOk(
      Transaction transaction, Outcome status, TableStore table, KeyBuffer key) {
    if (status != Outcome.OK) {
      throw transaction.failure(status, ConflictLocations.ofRow(table, key));
    }
  }
}
