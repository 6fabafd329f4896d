package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/** Writes the location of a subscriber, which is found by telephone number. Always succeeds. */
final class UpdateLocation implements TerminalTransaction {
  private final JdbcSession session;
  private final Inputs inputs;
  private final PreparedStatement update;

  UpdateLocation(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.update = session.prepare("update_location");
  }

  @Override
  public void draw() {
    inputs.drawTelephoneNumber();
    inputs.drawLocation();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    update.setInt(1, inputs.location());
    update.setString(2, inputs.telephoneNumber());
    JdbcSession.updateOne(update, "update of location");
    return session.commit();
  }
}
