package org.nelumbo.benchmark.database;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;

/** The kinds of {@link SQLException}, by the reaction of a benchmark. */
public enum ErrorKind {
  /** The transaction was rolled back because of other transactions: retry it. */
  CONFLICT,
  /** The connection broke during commit: the transaction may or may not have committed. */
  UNKNOWN_OUTCOME,
  /** The connection is lost, and nothing was committed. */
  CONNECTION_LOST,
  /** Any other error: a defect of the benchmark or of the product. */
  OTHER;

  private static final int CHAIN_LENGTH_MAX = 16;

  /**
   * Classifies an error by the first exception of its chain that has a specific kind: SQLState
   * 40003 and 08007 are unknown outcomes, class 40 and the vendor codes of the dialect are
   * conflicts, class 08 is a lost connection. The search visits next exceptions before causes, as a
   * {@link java.sql.BatchUpdateException} requires.
   */
  public static ErrorKind of(SQLException error, Dialect dialect) {
    return ofOne(telling(error, dialect), dialect);
  }

  /**
   * Returns the first exception of the chain that has a specific kind, or the error itself if none
   * has.
   */
  static SQLException telling(SQLException error, Dialect dialect) {
    SQLException found = telling(error, dialect, CHAIN_LENGTH_MAX);
    return found == null ? error : found;
  }

  private static SQLException telling(SQLException error, Dialect dialect, int left) {
    if (ofOne(error, dialect) != OTHER) {
      return error;
    }
    SQLException found = null;
    if (left > 0 && error.getNextException() != null) {
      found = telling(error.getNextException(), dialect, left - 1);
    }
    if (found == null && left > 0 && error.getCause() instanceof SQLException cause) {
      found = telling(cause, dialect, left - 1);
    }
    return found;
  }

  private static ErrorKind ofOne(SQLException error, Dialect dialect) {
    String state = error.getSQLState() == null ? "" : error.getSQLState();
    if (state.equals("40003") || state.equals("08007")) {
      return UNKNOWN_OUTCOME;
    }
    if (error instanceof SQLTransactionRollbackException
        || state.startsWith("40")
        || dialect.conflictCode(error.getErrorCode())) {
      return CONFLICT;
    }
    return state.startsWith("08") ? CONNECTION_LOST : OTHER;
  }
}
