package org.nelumbo.kv.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.terminal.KeyInput;

/** Creates the two transactions of a terminal that uses JDBC. */
public final class JdbcTransactions {
  private JdbcTransactions() {}

  /** Creates ReadOne and UpdateOne. */
  public static List<TerminalTransaction> of(JdbcSession session, KeyInput input)
      throws SQLException {
    return List.of(new ReadOne(session, input), new UpdateOne(session, input));
  }
}
