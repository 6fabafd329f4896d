package org.nelumbo.ycsb.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Reads all fields of a record. */
final class Read implements TerminalTransaction {
  private final JdbcSession session;
  private final RecordInput input;
  private final PreparedStatement query;

  Read(JdbcSession session, RecordInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.query = session.prepare("read");
  }

  @Override
  public void draw() {
    input.drawRecord();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    Fields.read(query, input);
    return session.commit();
  }
}
