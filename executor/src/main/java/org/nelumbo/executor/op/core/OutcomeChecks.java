package org.nelumbo.executor.op.core;

import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.txn.Transaction;

/** Checks outcomes of the transaction, and throws the failure that belongs to one. */
public final class OutcomeChecks {
  private OutcomeChecks() {}

  /** Whether the outcome is OK; false for NOT_FOUND, and every other outcome is thrown. */
  public static boolean found(Transaction transaction, Outcome status) {
    if (status == Outcome.OK) {
      return true;
    } else if (status == Outcome.NOT_FOUND) {
      return false;
    }
    throw transaction.failure(status);
  }

  /** Throws unless the outcome is OK. */
  public static void requireOk(Transaction transaction, Outcome status) {
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }
}
