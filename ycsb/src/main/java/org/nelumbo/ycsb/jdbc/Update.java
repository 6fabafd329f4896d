package org.nelumbo.ycsb.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Writes one field of a record. */
final class Update implements TerminalTransaction {
  private final JdbcSession session;
  private final RecordInput input;
  private final PreparedStatement[] updates;

  Update(JdbcSession session, RecordInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.updates = Fields.prepareUpdates(session);
  }

  @Override
  public void draw() {
    input.drawRecord();
    input.drawField();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    Fields.write(updates, input);
    return session.commit();
  }
}
