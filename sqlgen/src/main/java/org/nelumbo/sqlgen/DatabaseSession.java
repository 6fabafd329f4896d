package org.nelumbo.sqlgen;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A session that runs statements on a database and returns their outcomes. */
final class DatabaseSession implements AutoCloseable {
  /**
   * Placeholder for DEFERRABLE, without which PostgreSQL checks unique values before the end of a
   * statement.
   */
  static final String DEFERRABLE = "/*DEFERRABLE*/";

  private static final String INTERNAL = "XX";
  private static final int SQL_STATE_LENGTH = 5;

  private final String name;
  private final Connection connection;
  private final boolean tested;
  private final boolean postgresql;

  /**
   * Creates a session.
   *
   * @param name name of the database, for reports
   * @param tested whether faults of this database are reported
   */
  DatabaseSession(String name, Connection connection, boolean tested) throws SQLException {
    this.name = name;
    this.connection = connection;
    this.tested = tested;
    this.postgresql = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
  }

  String name() {
    return name;
  }

  boolean isPostgresql() {
    return postgresql;
  }

  Outcome run(String sql) {
    return run(sql, List.of());
  }

  /** Runs a statement with parameters. */
  Outcome run(String sql, List<Object> parameters) {
    return run(
        sql,
        statement -> {
          for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
          }
        });
  }

  /** A function that sets the parameters of a statement. */
  @FunctionalInterface
  interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  /** Runs a statement whose parameters are set by a binding. */
  Outcome run(String sql, Binding binding) {
    try (PreparedStatement statement = connection.prepareStatement(spelled(sql))) {
      binding.bind(statement);
      return statement.execute() ? rows(statement) : new Outcome.Count(statement.getUpdateCount());
    } catch (Throwable e) {
      return failure(e);
    }
  }

  private String spelled(String sql) {
    return postgresql
        ? sql.replace(TableMaker.STORED, "STORED")
            .replace(DEFERRABLE, "DEFERRABLE")
            .replace("LISTAGG(", "STRING_AGG(")
        : sql;
  }

  private static Outcome rows(Statement statement) throws SQLException {
    List<String> all = new ArrayList<>();
    try (ResultSet rows = statement.getResultSet()) {
      ResultSetMetaData columns = rows.getMetaData();
      while (rows.next()) {
        all.add(RowText.of(rows, columns));
      }
    }
    return new Outcome.Rows(all);
  }

  private Outcome failure(Throwable thrown) {
    if (thrown instanceof SQLException e) {
      String state = e.getSQLState();
      boolean bad =
          state == null || state.length() != SQL_STATE_LENGTH || state.startsWith(INTERNAL);
      if (!tested || !bad) {
        return new Outcome.Failure(state, e.getMessage());
      }
    } else if (!tested) {
      return new Outcome.Failure("HY000", thrown.toString());
    }
    return new Outcome.Fault(thrown);
  }

  /** Begins a transaction, whose statements see one state of the database. */
  Outcome begin(boolean readOnly) {
    try {
      connection.setReadOnly(readOnly);
      connection.setAutoCommit(false);
      return new Outcome.Count(0);
    } catch (Throwable e) {
      return failure(e);
    }
  }

  /**
   * Commits the transaction or rolls it back; afterwards the session is in auto-commit mode again.
   */
  Outcome end(boolean commits) {
    try {
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
      return new Outcome.Count(0);
    } catch (Throwable e) {
      return failure(e);
    }
  }

  /** Runs a statement and cancels it after a delay; returns its outcome when it has ended. */
  Outcome cancelled(String sql, long afterMicros) throws InterruptedException {
    try (Statement statement = connection.createStatement()) {
      Thread canceller =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      TimeUnit.MICROSECONDS.sleep(afterMicros);
                      while (true) {
                        statement.cancel(); // repeated, in case the statement had not started
                        Thread.sleep(20);
                      }
                    } catch (SQLException | InterruptedException over) {
                      Thread.currentThread().interrupt();
                    }
                  });
      Outcome outcome;
      try {
        outcome =
            statement.execute(sql)
                ? rows(statement)
                : new Outcome.Count(statement.getUpdateCount());
      } catch (Throwable e) {
        outcome = failure(e);
      }
      canceller.interrupt();
      canceller.join();
      return outcome;
    } catch (SQLException e) {
      return failure(e);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
