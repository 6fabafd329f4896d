package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/**
 * Writes a bit of a subscriber and a byte of one of its special facilities. Rolls back if the
 * subscriber does not have the facility.
 */
final class UpdateSubscriberData implements TerminalTransaction {
  private final JdbcSession session;
  private final Inputs inputs;
  private final PreparedStatement bit;
  private final PreparedStatement facility;

  UpdateSubscriberData(JdbcSession session, Inputs inputs) throws SQLException {
    this.session = session;
    this.inputs = inputs;
    this.bit = session.prepare("update_subscriber_data.bit");
    this.facility = session.prepare("update_subscriber_data.facility");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
    inputs.drawType();
    inputs.drawBitAndData();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    bit.setInt(1, inputs.bit());
    bit.setInt(2, inputs.subscriber());
    JdbcSession.updateOne(bit, "update of subscriber");
    facility.setInt(1, inputs.data());
    facility.setInt(2, inputs.subscriber());
    facility.setInt(3, inputs.type());
    return facility.executeUpdate() == 1 ? session.commit() : session.rollBack();
  }
}
