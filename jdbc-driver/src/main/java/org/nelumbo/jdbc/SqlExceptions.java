package org.nelumbo.jdbc;

import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.util.List;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * Factory of SQLExceptions. The subclass, which frameworks look at, follows from the SQLState; the
 * vendor code is always 0, which retry loops expect.
 */
final class SqlExceptions {
  private SqlExceptions() {}

  static SQLException of(NelumboException e) {
    return of(e.code(), e.getMessage(), e);
  }

  static SQLException of(ErrorCode code, String message) {
    return of(code, message, null);
  }

  private static SQLException of(ErrorCode code, String message, Throwable cause) {
    String state = code.sqlState();
    if (code == ErrorCode.UNSUPPORTED) {
      return new SQLFeatureNotSupportedException(message, state, 0, cause);
    }
    if (code == ErrorCode.CANCELLED && message.contains("timeout")) {
      return new SQLTimeoutException(message, state, 0, cause);
    }
    return switch (state.substring(0, 2)) {
      case "08" -> new SQLNonTransientConnectionException(message, state, 0, cause);
      case "22" -> new SQLDataException(message, state, 0, cause);
      case "23" -> new SQLIntegrityConstraintViolationException(message, state, 0, cause);
      case "28" -> new SQLInvalidAuthorizationSpecException(message, state, 0, cause);
      case "40" -> new SQLTransactionRollbackException(message, state, 0, cause);
      case "42" -> new SQLSyntaxErrorException(message, state, 0, cause);
      case "53", "55" -> new SQLTransientException(message, state, 0, cause);
      default -> new SQLException(message, state, 0, cause);
    };
  }

  /** The error code behind an exception of this driver. */
  static ErrorCode code(SQLException e) {
    return ErrorCode.ofSqlState(e.getSQLState());
  }

  /** Exception for a lost memory node, or for a fault of the engine. */
  static SQLException internal(Throwable e) {
    if (e instanceof FabricException) {
      return of(
          ErrorCode.CONNECTION_LOST,
          e.getMessage() + "; what was being committed is committed wholly or not at all",
          e);
    }
    return of(ErrorCode.INTERNAL, "internal error: " + e, e);
  }

  /**
   * Exception for a pool whose memory cannot be read or written any more.
   *
   * @param places its files, if it has any
   */
  static SQLException unusable(List<String> places, Throwable e) {
    return of(
        ErrorCode.IO_ERROR,
        "the memory of the pool"
            + (places.isEmpty() ? "" : " in " + String.join(", ", places))
            + " cannot be read or written: the file may have been truncated, its device may be"
            + " faulty or its file system full; the database is closed: close its connections,"
            + " mend the cause, and connect again; what was being committed is committed wholly or"
            + " not at all",
        e);
  }

  static SQLException closed(String what) {
    return of(ErrorCode.CONNECTION_CLOSED, "the " + what + " is closed");
  }

  static SQLException unsupported(String what) {
    return of(ErrorCode.UNSUPPORTED, what + " is not supported");
  }

  static SQLException badParameter(String message) {
    return of(ErrorCode.BAD_PARAMETER, message);
  }
}
