package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/** Reads all columns of a subscriber. Reads only; always succeeds. */
final class GetSubscriberData implements TerminalTransaction {
  private static final int COLUMNS = 34;

  private final JdbcSession session;
  private final Inputs inputs;
  private final PreparedStatement query;

  GetSubscriberData(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.query = session.prepare("get_subscriber_data");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    query.setInt(1, inputs.subscriber());
    try (ResultSet row = query.executeQuery()) {
      JdbcSession.single(row, "subscriber");
      row.getInt(1);
      row.getString(2);
      for (int i = 3; i <= COLUMNS; i++) {
        row.getInt(i);
      }
    }
    return session.commit();
  }
}
