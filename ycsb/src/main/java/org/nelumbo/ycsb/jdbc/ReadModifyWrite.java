package org.nelumbo.ycsb.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Reads all fields of a record, then writes one of them. */
final class ReadModifyWrite implements TerminalTransaction {
  private final JdbcSession session;
  private final RecordInput input;
  private final PreparedStatement query;
  private final PreparedStatement[] updates;

  ReadModifyWrite(JdbcSession session, RecordInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.query = session.prepare("read_to_change");
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
    Fields.read(query, input);
    Fields.write(updates, input);
    return session.commit();
  }
}
