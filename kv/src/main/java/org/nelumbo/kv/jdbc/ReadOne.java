package org.nelumbo.kv.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.terminal.KeyInput;

/** Reads the value of a key, and checks that it is consistent. */
final class ReadOne implements TerminalTransaction {
  private final JdbcSession session;
  private final KeyInput input;
  private final PreparedStatement query;

  ReadOne(JdbcSession session, KeyInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.query = session.prepare("read_one");
  }

  @Override
  public void draw() {
    input.draw();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    query.setLong(1, input.key());
    try (ResultSet row = query.executeQuery()) {
      JdbcSession.single(row, "key");
      String mistake =
          input.mistake(
              row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5));
      if (mistake != null) {
        throw new SQLException(mistake, "XX001");
      }
    }
    return session.commit();
  }
}
