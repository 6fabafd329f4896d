package org.nelumbo.tpcc.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;

/**
 * Stock-Level, clause 2.8: counts the items with low stock in the last twenty orders of the
 * terminal's district. Reads only.
 */
final class StockLevel implements TerminalTransaction {
  private static final int ORDERS = 20;

  private final JdbcSession session;
  private final TpccRandom random;
  private final Home home;
  private final PreparedStatement nextOrder;
  private final PreparedStatement lowStock;
  private int threshold;
  private int low;

  StockLevel(JdbcSession session, TpccRandom random, Home home) throws SQLException {
    this.session = session;
    this.random = random;
    this.home = home;
    this.nextOrder = session.prepare("stock_level.next_order");
    this.lowStock = session.prepare("stock_level.low_stock");
  }

  @Override
  public void draw() {
    threshold = random.uniform(10, 20);
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    int next = readNextOrder();
    lowStock.setInt(1, home.warehouse());
    lowStock.setInt(2, home.district());
    lowStock.setInt(3, next);
    lowStock.setInt(4, next - ORDERS);
    lowStock.setInt(5, home.warehouse());
    lowStock.setInt(6, threshold);
    try (ResultSet row = lowStock.executeQuery()) {
      JdbcSession.single(row, "count of low stock");
      low = row.getInt(1);
    }
    return session.commit();
  }

  /** Returns the number of items with low stock in the last run. */
  int low() {
    return low;
  }

  private int readNextOrder() throws SQLException {
    nextOrder.setInt(1, home.warehouse());
    nextOrder.setInt(2, home.district());
    try (ResultSet row = nextOrder.executeQuery()) {
      JdbcSession.single(row, "district");
      return row.getInt(1);
    }
  }
}
