package org.nelumbo.tpcc.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * New-Order, clause 2.4: enters an order of 5 to 15 lines. Changes of stock and new lines are sent
 * to the database as two batches. An order with an unused item is entered up to that item and then
 * rolled back.
 */
final class NewOrder implements TerminalTransaction {
  /** Quantity that is added to stock that would otherwise fall below the reserve. */
  private static final int REFILL = 91;

  private static final int RESERVE = 10;

  /** Unit of taxes and discount: ten-thousandths. */
  private static final double RATE_UNIT = 10_000;

  private final JdbcSession session;
  private final Home home;
  private final OrderInput input;

  private final PreparedStatement warehouse;
  private final PreparedStatement district;
  private final PreparedStatement nextOrder;
  private final PreparedStatement customer;
  private final PreparedStatement order;
  private final PreparedStatement newOrder;
  private final OrderLines lines;
  private final PreparedStatement take;
  private final PreparedStatement line;

  private int orderNumber;
  private int stockLeft;
  private long amountCents;
  private long totalCents;

  /**
   * Creates the transaction.
   *
   * @param lines reader of the items and the stock of the lines
   */
  NewOrder(JdbcSession session, TpccRandom random, Home home, OrderLines lines)
      throws SQLException {
    this.session = session;
    this.lines = lines;
    this.home = home;
    this.input = new OrderInput(random, home);
    this.warehouse = session.prepare("new_order.warehouse");
    this.district = session.prepare("new_order.district");
    this.nextOrder = session.prepare("new_order.next_order");
    this.customer = session.prepare("new_order.customer");
    this.order = session.prepare("new_order.order");
    this.newOrder = session.prepare("new_order.new_order");
    this.take = session.prepare("new_order.take");
    this.line = session.prepare("new_order.line");
  }

  @Override
  public void draw() {
    input.draw();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    take.clearBatch(); // left by a previous attempt that met a conflict
    line.clearBatch();
    long warehouseTax = readWarehouseTax();
    long districtTax = takeOrderNumber();
    long discount = readDiscount();
    insertOrder();
    amountCents = 0;
    boolean complete = enterLines();
    if (!complete) {
      return session.rollBack();
    }
    double rate = (1 - discount / RATE_UNIT) * (1 + (warehouseTax + districtTax) / RATE_UNIT);
    totalCents = Math.round(amountCents * rate);
    return session.commit();
  }

  /** Returns the total that the customer has to pay for the last order entered. */
  long totalCents() {
    return totalCents;
  }

  private long readWarehouseTax() throws SQLException {
    warehouse.setInt(1, home.warehouse());
    try (ResultSet row = warehouse.executeQuery()) {
      JdbcSession.single(row, "warehouse");
      return Money.rate(row.getBigDecimal(1));
    }
  }

  private long takeOrderNumber() throws SQLException {
    long tax;
    district.setInt(1, home.warehouse());
    district.setInt(2, input.district());
    try (ResultSet row = district.executeQuery()) {
      JdbcSession.single(row, "district");
      orderNumber = row.getInt(1);
      tax = Money.rate(row.getBigDecimal(2));
    }
    nextOrder.setInt(1, orderNumber + 1);
    nextOrder.setInt(2, home.warehouse());
    nextOrder.setInt(3, input.district());
    JdbcSession.updateOne(nextOrder, "next order of district");
    return tax;
  }

  private long readDiscount() throws SQLException {
    customer.setInt(1, home.warehouse());
    customer.setInt(2, input.district());
    customer.setInt(3, input.customer());
    try (ResultSet row = customer.executeQuery()) {
      JdbcSession.single(row, "customer");
      long discount = Money.rate(row.getBigDecimal(1));
      row.getString(2);
      row.getString(3);
      return discount;
    }
  }

  private void insertOrder() throws SQLException {
    order.setInt(1, orderNumber);
    order.setInt(2, input.district());
    order.setInt(3, home.warehouse());
    order.setInt(4, input.customer());
    order.setTimestamp(5, new Timestamp(System.currentTimeMillis()));
    order.setInt(6, input.lines());
    order.setInt(7, input.allLocal() ? 1 : 0);
    JdbcSession.updateOne(order, "order");
    newOrder.setInt(1, orderNumber);
    newOrder.setInt(2, input.district());
    newOrder.setInt(3, home.warehouse());
    JdbcSession.updateOne(newOrder, "new order");
  }

  /**
   * Enters the lines; returns false if an item does not exist. Lines before it are entered
   * nevertheless.
   */
  private boolean enterLines() throws SQLException {
    lines.read(input);
    for (int i = 0; i < lines.found; i++) {
      enterLine(i, lines.priceCents[i] * input.quantity(i));
    }
    take.executeBatch();
    line.executeBatch();
    return lines.found == input.lines();
  }

  private void enterLine(int i, long cents) throws SQLException {
    amountCents += cents;
    int quantity = input.quantity(i);
    takeFromStock(i, quantity);
    take.setInt(1, stockLeft);
    take.setInt(2, quantity);
    take.setInt(3, input.supplier(i) == home.warehouse() ? 0 : 1);
    take.setInt(4, input.supplier(i));
    take.setInt(5, input.item(i));
    take.addBatch();

    line.setInt(1, orderNumber);
    line.setInt(2, input.district());
    line.setInt(3, home.warehouse());
    line.setInt(4, input.number(i));
    line.setInt(5, input.item(i));
    line.setInt(6, input.supplier(i));
    line.setInt(7, quantity);
    line.setBigDecimal(8, Money.ofCents(cents));
    line.setString(9, lines.districtText[i]);
    line.addBatch();
  }

  /**
   * Takes the quantity of a line from stock. A second line of the same item continues with the
   * quantity that the first one left, which has not been sent to the database yet.
   */
  private void takeFromStock(int i, int quantity) {
    if (!input.sameStockAsBefore(i)) {
      stockLeft = lines.stock[i];
    }
    stockLeft -= quantity;
    if (stockLeft < RESERVE) {
      stockLeft += REFILL;
    }
  }
}
