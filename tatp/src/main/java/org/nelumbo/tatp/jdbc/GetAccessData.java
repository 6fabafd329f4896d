package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/** Reads the access info of one type of a subscriber. Reads only. Rolls back if there is none. */
final class GetAccessData implements TerminalTransaction {
  private final JdbcSession session;
  private final Inputs inputs;
  private final PreparedStatement query;

  GetAccessData(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.query = session.prepare("get_access_data");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
    inputs.drawType();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    query.setInt(1, inputs.subscriber());
    query.setInt(2, inputs.type());
    boolean found;
    try (ResultSet row = query.executeQuery()) {
      found = row.next();
      if (found) {
        row.getInt(1);
        row.getInt(2);
        row.getString(3);
        row.getString(4);
      }
    }
    return found ? session.commit() : session.rollBack();
  }
}
