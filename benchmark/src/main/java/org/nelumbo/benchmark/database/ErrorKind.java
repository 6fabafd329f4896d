package org.nelumbo.benchmark.database;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;

/** What a benchmark does about an {@link SQLException}. */
public enum ErrorKind {
  /** The transaction was rolled back because of others: try it again. */
  CONFLICT,
  /** The connection broke during commit: the transaction may or may not have happened. */
  UNKNOWN_OUTCOME,
  /** The connection is gone, nothing was committed. */
  CONNECTION_LOST,
  /** Anything else: a mistake of the benchmark or of the product. */
  OTHER;

  private static final int CHAIN_LENGTH_MAX = 16;

  /**
   * Classifies an error by the first exception of its chain that says something: SQLState 40003 and
   * 08007 are unknown outcomes, class 40 and the vendor codes of the dialect are conflicts, class
   * 08 is a lost connection. The chain is next exceptions first, then causes, as a {@link
   * java.sql.BatchUpdateException} needs.
   */
  public static ErrorKind of(SQLException error, Dialect dialect) {
    return of(error, dialect, CHAIN_LENGTH_MAX);
  }

  private static ErrorKind of(SQLException error, Dialect dialect, int left) {
    ErrorKind kind = ofOne(error, dialect);
    if (kind == OTHER && left > 0 && error.getNextException() != null) {
      kind = of(error.getNextException(), dialect, left - 1);
    }
    if (kind == OTHER && left > 0 && error.getCause() instanceof SQLException cause) {
      kind = of(cause, dialect, left - 1);
    }
    return kind;
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
