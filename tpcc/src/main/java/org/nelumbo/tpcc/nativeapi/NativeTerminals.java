package org.nelumbo.tpcc.nativeapi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.TpccTerminal;
import org.nelumbo.tpcc.terminal.TransactionType;

/** Creates terminals that use the native API. */
public final class NativeTerminals {
  private NativeTerminals() {}

  /**
   * Opens a terminal with a native session of the connection's database, at the connection's
   * isolation level.
   *
   * @param userTimes true if the terminal waits for keying and think times
   */
  public static TpccTerminal open(
      Connection connection, TpccRandom random, Home home, boolean userTimes) throws SQLException {
    return open(new TpccSession(connection), random, home, userTimes);
  }

  private static TpccTerminal open(
      TpccSession session, TpccRandom random, Home home, boolean userTimes) {
    return new TpccTerminal(
        random,
        new Deck(random, TransactionType.shares(home.compat())),
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
