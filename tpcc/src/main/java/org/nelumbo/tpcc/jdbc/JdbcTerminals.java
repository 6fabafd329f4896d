package org.nelumbo.tpcc.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.TpccTerminal;
import org.nelumbo.tpcc.terminal.TransactionType;

/** Creates terminals that use JDBC. */
public final class JdbcTerminals {
  private JdbcTerminals() {}

  /**
   * Opens a terminal with all its statements prepared.
   *
   * @param userTimes true if the terminal waits for keying and think times
   * @param linesTogether true if New-Order reads the items of all lines with one statement, and
   *     their stock with another
   */
  public static TpccTerminal open(
      Connection connection,
      StatementTexts texts,
      TpccRandom random,
      Home home,
      boolean userTimes,
      boolean linesTogether)
      throws SQLException {
    JdbcSession session = new JdbcSession(connection, texts);
    OrderLines lines = linesTogether ? new LinesTogether(session) : new LinesOneByOne(session);
    return new TpccTerminal(
        random,
        new Deck(random, TransactionType.shares(home.compat())),
        List.of(
            new NewOrder(session, random, home, lines),
            new Payment(session, random, home),
            new OrderStatus(session, random, home),
            new Delivery(session, random, home),
            new StockLevel(session, random, home)),
        session,
        userTimes);
  }
}
