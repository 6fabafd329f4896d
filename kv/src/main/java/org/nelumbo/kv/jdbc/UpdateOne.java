package org.nelumbo.kv.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.terminal.KeyInput;

/** Updates the value of a key. */
final class UpdateOne implements TerminalTransaction {
  private final JdbcSession session;
  private final KeyInput input;
  private final PreparedStatement update;

  UpdateOne(JdbcSession session, KeyInput input) throws SQLException {
    this.session = session;
    this.input = input;
    this.update = session.prepare("update_one");
  }

  @Override
  public void draw() {
    input.draw();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    update.setLong(1, input.key());
    JdbcSession.updateOne(update, "update of a key");
    return session.commit();
  }
}
