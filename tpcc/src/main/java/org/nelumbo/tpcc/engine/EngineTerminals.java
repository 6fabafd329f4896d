package org.nelumbo.tpcc.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.NativeSession;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.TpccTerminal;

/** Makes terminals that speak the native API. */
public final class EngineTerminals {
  private EngineTerminals() {}

  /**
   * A terminal with a native session of the connection's database, at the connection's isolation
   * level.
   *
   * @param userTimes whether to wait for the user to key and to think
   */
  public static TpccTerminal open(
      Connection connection, TpccRandom random, Home home, boolean userTimes) throws SQLException {
    Isolation isolation =
        connection.getTransactionIsolation() == Connection.TRANSACTION_SERIALIZABLE
            ? Isolation.SERIALIZABLE
            : Isolation.SNAPSHOT;
    try {
      NativeSession session = connection.unwrap(Database.class).openNative();
      return open(new EngineSession(session, isolation), random, home, userTimes);
    } catch (NelumboException e) {
      throw new SQLException(e.getMessage(), e.sqlState(), e);
    }
  }

  private static TpccTerminal open(
      EngineSession session, TpccRandom random, Home home, boolean userTimes) {
    return new TpccTerminal(
        random,
        List.of(
            new NewOrder(session, random, home),
            new Payment(session, random, home),
            new OrderStatus(session, random, home),
            new Delivery(session, random, home),
            new StockLevel(session, random, home)),
        session,
        userTimes);
  }
}
