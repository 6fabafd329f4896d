package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/**
 * Inserts a call forwarding of a subscriber. The database rejects it with a duplicate key if there
 * is one with this start time, or with a foreign key violation if the subscriber does not have the
 * facility.
 */
final class InsertCallForwarding implements TerminalTransaction {
  private final JdbcSession session;
  private final Inputs inputs;
  private final SubscriberFinder finder;
  private final PreparedStatement facilities;
  private final PreparedStatement insert;

  InsertCallForwarding(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.finder = new SubscriberFinder(session);
    this.facilities = session.prepare("insert_call_forwarding.facilities");
    this.insert = session.prepare("insert_call_forwarding.insert");
  }

  @Override
  public void draw() {
    inputs.drawTelephoneNumber();
    inputs.drawType();
    inputs.drawTimes();
    inputs.drawDestination();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    int subscriber = finder.find(inputs.telephoneNumber());
    facilities.setInt(1, subscriber);
    try (ResultSet rows = facilities.executeQuery()) {
      while (rows.next()) {
        rows.getInt(1);
      }
    }
    insert.setInt(1, subscriber);
    insert.setInt(2, inputs.type());
    insert.setInt(3, inputs.startTime());
    insert.setInt(4, inputs.endTime());
    insert.setString(5, inputs.destination());
    insert.executeUpdate();
    return session.commit();
  }
}
