package org.nelumbo.ycsb.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Reads several records in the order of their keys, starting at a given one. */
final class Scan implements TerminalTransaction {
  private final JdbcSession session;
  private final RecordInput input;
  private final PreparedStatement query;
  private int shown;

  Scan(JdbcSession session, RecordInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.query = session.prepare("scan");
  }

  @Override
  public void draw() {
    input.drawRecord();
    input.drawScanLength();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    query.setString(1, input.key());
    query.setInt(2, input.scanLength());
    shown = 0;
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        rows.getString(1);
        Fields.readAll(rows, 2);
        shown++;
      }
    }
    return session.commit();
  }

  /** Returns the number of records that the last run read. */
  int shown() {
    return shown;
  }
}
