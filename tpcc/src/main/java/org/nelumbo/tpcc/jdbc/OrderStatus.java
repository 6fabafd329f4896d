package org.nelumbo.tpcc.jdbc;

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
import org.nelumbo.tpcc.terminal.OrderChoice;

/**
 * Order-Status, clause 2.6: shows the last order of a customer (in the compat variant any order).
 * Reads only.
 */
final class OrderStatus implements TerminalTransaction {
  private final JdbcSession session;
  private final TpccRandom random;
  private final Home home;
  private final CustomerInput input;
  private final CustomerChoice choice;
  private final OrderChoice orders;
  private final PreparedStatement customer;
  private final PreparedStatement lastOrder;
  private final PreparedStatement lines;
  private int anyOrder;
  private int linesShown;

  OrderStatus(JdbcSession session, TpccRandom random, Home home) throws SQLException {
    this.session = session;
    this.random = random;
    this.home = home;
    this.input = new CustomerInput(random, home);
    this.choice = new CustomerChoice(session, input);
    this.customer = session.prepare("order_status.customer");
    this.orders = new OrderChoice(random, home);
    this.lastOrder =
        session.prepare(home.compat() ? "order_status.any_order" : "order_status.last_order");
    this.lines = session.prepare("order_status.lines");
  }

  @Override
  public void draw() {
    input.draw(home.warehouse(), random.uniform(1, Population.DISTRICTS));
    anyOrder = home.compat() ? orders.any() : 0;
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    int customerNumber = choice.number();
    showCustomer(customerNumber);
    int order = showOrder(home.compat() ? anyOrder : customerNumber);
    linesShown = order < 0 ? 0 : showLines(order);
    return session.commit();
  }

  /** Returns the number of lines of the order shown last. */
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

  /**
   * Reads an order by customer or by its own number; returns its number, or -1 if there is none.
   */
  private int showOrder(int customerOrOrder) throws SQLException {
    bind(lastOrder, customerOrOrder);
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
