package org.nelumbo.executor.op;

import org.nelumbo.executor.txn.Transaction;

/** Turns outcomes of the transaction into what operators do. */
final class Failures {
  private Failures() {}

  /** Returns false for NOT_FOUND; every other outcome is a failure and thrown. */
  static boolean none(Transaction transaction, int status) {
    if (status != Transaction.NOT_FOUND) {
      throw transaction.failure(status);
    }
    return false;
  }

  /** Throws unless the outcome is OK. */
  static void check(Transaction transaction, int status) {
    if (status != Transaction.OK) {
      throw transaction.failure(status);
    }
  }
}
