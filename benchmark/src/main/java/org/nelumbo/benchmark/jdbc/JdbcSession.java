package org.nelumbo.benchmark.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.benchmark.nativeapi.NativeCosts;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalSession;

/** A terminal's connection with its prepared statements; begins and ends transactions. */
public final class JdbcSession implements TerminalSession {
  private final Connection connection;
  private final StatementTexts texts;
  private final boolean switchesReadOnly;
  private final List<PreparedStatement> statements = new ArrayList<>();
  private boolean readOnly;

  /** Creates a session on a connection without auto-commit, which the caller owns and closes. */
  public JdbcSession(Connection connection, StatementTexts texts) {
    this.connection = connection;
    this.texts = texts;
    this.switchesReadOnly = texts.dialect().switchesReadOnly();
  }

  /**
   * Prepares a statement of {@code statements.sql} for the lifetime of the terminal.
   *
   * @param replacements pairs of a placeholder in the text and its replacement
   */
  public PreparedStatement prepare(String name, String... replacements) throws SQLException {
    String text = texts.of(name);
    for (int i = 0; i < replacements.length; i += 2) {
      text = text.replace(replacements[i], replacements[i + 1]);
    }
    return prepareText(text);
  }

  private PreparedStatement prepareText(String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statements.add(statement);
    return statement;
  }

  /**
   * Prepares the connection for the next transaction.
   *
   * @param reads true if the transaction only reads
   */
  public void begin(boolean reads) throws SQLException {
    if (reads != readOnly && switchesReadOnly) {
      connection.setReadOnly(reads);
      readOnly = reads;
    }
  }

  public Outcome commit() throws SQLException {
    connection.commit();
    return Outcome.COMMITTED;
  }

  /** Rolls back, as the benchmark demands. */
  public Outcome rollBack() throws SQLException {
    connection.rollback();
    return Outcome.ROLLED_BACK;
  }

  /**
   * Moves to the first row.
   *
   * @throws SQLException with SQLState 02000 if there is no row
   */
  public static void single(ResultSet rows, String what) throws SQLException {
    if (!rows.next()) {
      throw new SQLException("no row: " + what, "02000");
    }
  }

  /** Runs an update that must change exactly one row. */
  public static void updateOne(PreparedStatement update, String what) throws SQLException {
    int changed = update.executeUpdate();
    if (changed != 1) {
      throw new SQLException(what + " changed " + changed + " rows instead of 1", "02000");
    }
  }

  @Override
  public Cost cost() throws SQLException {
    return NativeCosts.of(connection.unwrap(org.nelumbo.database.EmbeddedSession.class).counters());
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements) {
      statement.close();
    }
  }
}
