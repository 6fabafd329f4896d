package org.nelumbo.tpcc.transaction;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.CustomerInput;
import org.nelumbo.tpcc.terminal.Home;

/** Order-Status, clause 2.6: shows the last order of a customer. Reads only. */
final class OrderStatus implements TerminalTransaction {
  private final JdbcSession session;
  private final TpccRandom random;
  private final Home home;
  private final CustomerInput input;
  private final CustomerChoice choice;
  private final PreparedStatement customer;
  private final PreparedStatement lastOrder;
  private final PreparedStatement lines;
  private int linesShown;

  OrderStatus(JdbcSession session, TpccRandom random, Home home) throws SQLException {
    this.session = session;
    this.random = random;
    this.home = home;
    this.input = new CustomerInput(random, home.population());
    this.choice = new CustomerChoice(session, input);
    this.customer = session.prepare("order_status.customer");
    this.lastOrder = session.prepare("order_status.last_order");
    this.lines = session.prepare("order_status.lines");
  }

  @Override
  public void draw() {
    input.draw(home.warehouse(), random.uniform(1, Population.DISTRICTS));
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    int customerNumber = choice.number();
    showCustomer(customerNumber);
    int order = showLastOrder(customerNumber);
    linesShown = order < 0 ? 0 : showLines(order);
    return session.commit();
  }

  /** Lines of the order shown last. */
  int linesShown() {
    return linesShown;
  }

  private void showCustomer(int customerNumber) throws SQLException {
    bind(customer, customerNumber);
    try (ResultSet row = customer.executeQuery()) {
      JdbcSession.single(row, "customer");
      row.getBigDecimal(1);
      row.getString(2);
      row.getString(3);
      row.getString(4);
    }
  }

  /** The number of the order, -1 if the customer has none. */
  private int showLastOrder(int customerNumber) throws SQLException {
    bind(lastOrder, customerNumber);
    try (ResultSet row = lastOrder.executeQuery()) {
      if (!row.next()) {
        return -1;
      }
      row.getTimestamp(2);
      row.getInt(3);
      return row.getInt(1);
    }
  }

  private int showLines(int order) throws SQLException {
    bind(lines, order);
    int count = 0;
    try (ResultSet rows = lines.executeQuery()) {
      while (rows.next()) {
        rows.getInt(1);
        rows.getInt(2);
        rows.getInt(3);
        rows.getBigDecimal(4);
        rows.getTimestamp(5);
        count++;
      }
    }
    return count;
  }

  private void bind(PreparedStatement query, int number) throws SQLException {
    query.setInt(1, choice.warehouse());
    query.setInt(2, choice.district());
    query.setInt(3, number);
  }
}
