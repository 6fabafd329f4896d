package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/** Deletes a call forwarding. Rolls back if there is none with this start time. */
final class DeleteCallForwarding implements TerminalTransaction {
  private final JdbcSession session;
  private final Inputs inputs;
  private final SubscriberFinder finder;
  private final PreparedStatement delete;

  DeleteCallForwarding(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.finder = new SubscriberFinder(session);
    this.delete = session.prepare("delete_call_forwarding.delete");
  }

  @Override
  public void draw() {
    inputs.drawTelephoneNumber();
    inputs.drawType();
    inputs.drawStartTime();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    delete.setInt(1, finder.find(inputs.telephoneNumber()));
    delete.setInt(2, inputs.type());
    delete.setInt(3, inputs.startTime());
    return delete.executeUpdate() == 1 ? session.commit() : session.rollBack();
  }
}
