package org.nelumbo.jdbc.fuzz;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.regex.Pattern;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;

/**
 * Checks that an error leaves the transaction in the state that its code implies.
 *
 * <ul>
 *   <li>After most errors other statements of the transaction run. After errors that end the
 *       transaction, statements are refused with 25P02 until it is rolled back.
 *   <li>In auto-commit mode an error of an open result ends its transaction.
 * </ul>
 *
 * <p>It checks only queries, updates and reads; other calls always pass.
 */
final class TransactionProbe {
  private static final TransactionProbe NONE = new TransactionProbe(null);
  private static final Set<String> READING = Set.of("next", "wasNull");
  private static final Pattern PLANNED =
      Pattern.compile("\\s*(SELECT|VALUES|INSERT|UPDATE|DELETE)\\b.*", Pattern.DOTALL);

  /** Null if there is nothing to check. */
  private final Connection connection;

  private TransactionProbe(Connection connection) {
    this.connection = connection;
  }

  /** Records the state before a call. */
  static TransactionProbe before(Object target, Method method, Object... arguments) {
    try {
      Connection connection = runs(method, arguments) ? connection(target) : null;
      if (connection == null || connection.isClosed() || !inTransaction(connection)) {
        return NONE;
      }
      boolean looks =
          connection.getAutoCommit() ? target instanceof ResultSet : isUsable(connection);
      return looks ? new TransactionProbe(connection) : NONE;
    } catch (SQLException e) {
      return NONE;
    }
  }

  private static boolean runs(Method method, Object... arguments) {
    String name = method.getName();
    if (name.startsWith("execute") && !name.endsWith("Batch")) {
      return arguments.length == 0
          || arguments[0] instanceof String sql && PLANNED.matcher(sql).matches();
    }
    return READING.contains(name) || name.startsWith("get") && name.endsWith("t");
  }

  private static Connection connection(Object target) throws SQLException {
    return switch (target) {
      case Statement statement -> statement.getConnection();
      case ResultSet rows when rows.getStatement() != null -> rows.getStatement().getConnection();
      default -> null;
    };
  }

  private static boolean inTransaction(Connection connection) throws SQLException {
    return connection.unwrap(Session.class).inTransaction();
  }

  /** Returns true if a statement of the transaction runs; false if the transaction has failed. */
  private static boolean isUsable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("VALUES 1")) {
      return rows.next();
    } catch (SQLException e) {
      if (e.getSQLState().equals(ErrorCode.TRANSACTION_FAILED.sqlState())) {
        return false;
      }
      throw e;
    }
  }

  /** Returns true if the state of the transaction matches the error that the call has thrown. */
  boolean isAsSaidBy(SQLException failure) {
    try {
      if (connection == null || connection.isClosed()) {
        return true;
      }
      return connection.getAutoCommit()
          ? !(failure.getCause() instanceof NelumboException) || !inTransaction(connection)
          : isUsable(connection) != code(failure).endsTransaction();
    } catch (SQLException e) {
      return false;
    }
  }

  private static ErrorCode code(SQLException failure) {
    return failure.getCause() instanceof NelumboException known
        ? known.code()
        : ErrorCode.ofSqlState(failure.getSQLState());
  }
}
