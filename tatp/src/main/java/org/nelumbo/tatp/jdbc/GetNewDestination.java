package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/**
 * Reads the numbers to which a subscriber's calls are forwarded at some hour. Reads only. Rolls
 * back if there is no such number: the facility is missing or not active, or no forwarding covers
 * that hour.
 */
final class GetNewDestination implements TerminalTransaction {
  private final JdbcSession session;
  private final Inputs inputs;
  private final PreparedStatement query;
  private int found;

  GetNewDestination(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.query = session.prepare("get_new_destination");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
    inputs.drawType();
    inputs.drawTimes();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    query.setInt(1, inputs.subscriber());
    query.setInt(2, inputs.type());
    query.setInt(3, inputs.startTime());
    query.setInt(4, inputs.endTime());
    found = 0;
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        rows.getString(1);
        found++;
      }
    }
    return found > 0 ? session.commit() : session.rollBack();
  }

  /** Returns the number of destinations that the last run found. */
  int found() {
    return found;
  }
}
