package org.nelumbo.ycsb.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Inserts a new record. */
final class Insert implements TerminalTransaction {
  private final JdbcSession session;
  private final RecordInput input;
  private final PreparedStatement insert;

  Insert(JdbcSession session, RecordInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.insert = session.prepare("insert");
  }

  @Override
  public void draw() {
    input.drawNewRecord();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    insert.setString(1, input.key());
    for (int i = 0; i < RecordInput.FIELDS; i++) {
      insert.setString(2 + i, input.value(i));
    }
    insert.executeUpdate();
    Outcome outcome = session.commit();
    input.inserted();
    return outcome;
  }
}
