package org.nelumbo.executor.op.core;

import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.txn.Transaction;

/** Checks outcomes of the transaction, and throws the failure that belongs to one. */
public final class OutcomeChecks {
  private OutcomeChecks() {}

  /** Returns false for NOT_FOUND; every other outcome is a failure and thrown. */
  public static boolean none(Transaction transaction, int status) {
    if (status != Outcome.NOT_FOUND) {
      throw transaction.failure(status);
    }
    return false;
  }

  /** Throws unless the outcome is OK. */
  public static void requireOk(Transaction transaction, int status) {
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }
}
