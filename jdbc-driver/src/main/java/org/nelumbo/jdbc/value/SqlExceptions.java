package org.nelumbo.jdbc.value;

import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.error.UnexpectedErrors;

/**
 * Factory of SQLExceptions. The SQLState determines the subclass, which frameworks inspect. The
 * vendor code is always 0, as retry loops expect.
 */
public final class SqlExceptions {
  private SqlExceptions() {}

  public static SQLException of(NelumboException e) {
    return of(e.code(), e.getMessage(), e);
  }

  public static SQLException of(ErrorCode code, String message) {
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
    if (code == ErrorCode.STARTING) {
      return new SQLTransientConnectionException(message, state, 0, cause);
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

  /** Returns the error code behind an exception of this driver. */
  public static ErrorCode code(SQLException e) {
    return e.getCause() instanceof NelumboException known
        ? known.code()
        : ErrorCode.ofSqlState(e.getSQLState());
  }

  /** Converts any exception where there is no connection whose transaction must be ended. */
  public static SQLException unexpected(Throwable e) {
    return e instanceof SQLException known ? known : of(UnexpectedErrors.of(e));
  }

  /** Returns the exception for a commit whose outcome is unknown. */
  public static SQLException unknownOutcome(SQLException failure) {
    return of(
        ErrorCode.OUTCOME_UNKNOWN,
        "the commit failed, and may have taken effect completely or not at all: check"
            + " before trying again ("
            + failure.getMessage()
            + ")",
        failure);
  }

  /** Converts any exception thrown while connecting. */
  public static SQLException notConnected(Throwable e) {
    return switch (e) {
      case SQLException known -> known;
      case NelumboException known
          when known.code() == ErrorCode.STARTING || known.code() == ErrorCode.DATA_CORRUPTED ->
          of(known);
      case NelumboException known -> of(ErrorCode.CONNECTION_FAILED, known.getMessage(), known);
      case OutOfMemoryError full ->
          of(
              ErrorCode.CONNECTION_FAILED,
              "there is not enough memory for the connection or its pool: " + full.getMessage(),
              full);
      case LinkageError broken ->
          of(ErrorCode.CONNECTION_FAILED, UnexpectedErrors.of(broken).getMessage(), broken);
      case IllegalArgumentException bad ->
          of(
              ErrorCode.CONNECTION_FAILED,
              "the database cannot be opened with this URL: " + bad.getMessage(),
              bad);
      default ->
          of(
              ErrorCode.CONNECTION_FAILED,
              "the database cannot be opened: " + e + "; please report it with the stack trace",
              e);
    };
  }

  /** Converts an exception thrown by an object of the caller. */
  public static SQLException ofCaller(String what, Throwable e) {
    return switch (e) {
      case SQLException known -> known;
      case OutOfMemoryError full -> unexpected(full);
      case StackOverflowError deep -> unexpected(deep);
      default -> of(ErrorCode.BAD_PARAMETER, what + " cannot be used: " + shown(e), e);
    };
  }

  /**
   * Returns the exception for a pool whose memory can no longer be read or written.
   *
   * @param locations the files of the pool, if it has any
   */
  public static SQLException unusable(List<String> locations, Throwable e) {
    return of(
        ErrorCode.IO_ERROR,
        "the memory of the pool"
            + (locations.isEmpty() ? "" : " in " + String.join(", ", locations))
            + " cannot be read or written: the file may have been truncated, its device may"
            + " be faulty or its file system full; the database is closed: close its"
            + " connections, remove the cause, and connect again; transactions in progress"
            + " are committed completely or not at all",
        e);
  }

  /** The {@code toString} of a caller's exception may itself fail. */
  private static String shown(Throwable e) {
    try {
      return e.toString();
    } catch (RuntimeException | Error unable) {
      return e.getClass().getName();
    }
  }

  public static SQLException closed(String what) {
    return of(ErrorCode.CONNECTION_CLOSED, "the " + what + " is closed");
  }

  public static SQLException unsupported(String what) {
    return of(ErrorCode.UNSUPPORTED, what + " is not supported");
  }

  public static SQLException badParameter(String message) {
    return of(ErrorCode.BAD_PARAMETER, message);
  }
}
