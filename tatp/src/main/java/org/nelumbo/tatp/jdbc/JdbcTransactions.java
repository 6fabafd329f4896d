package org.nelumbo.tatp.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/** Creates the seven transactions of a terminal that uses JDBC. */
public final class JdbcTransactions {
  private JdbcTransactions() {}

  /**
   * Creates one transaction of each type, in the order of the types, with its statements prepared.
   */
  public static List<TerminalTransaction> of(JdbcSession session, Inputs inputs)
      throws SQLException {
    return List.of(
        new GetSubscriberData(session, inputs),
        new GetNewDestination(session, inputs),
        new GetAccessData(session, inputs),
        new UpdateSubscriberData(session, inputs),
        new UpdateLocation(session, inputs),
        new InsertCallForwarding(session, inputs),
        new DeleteCallForwarding(session, inputs));
  }
}
