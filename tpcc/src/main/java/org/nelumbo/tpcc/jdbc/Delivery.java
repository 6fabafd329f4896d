package org.nelumbo.tpcc.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Timestamp;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.OrderChoice;

/**
 * Delivery, clause 2.7: delivers the oldest order of each district (in the compat variant any
 * order), all in one transaction. A district without an order is skipped. Changes of one kind are
 * sent to the database as a batch.
 */
final class Delivery implements TerminalTransaction {
  private static final int NONE = -1;

  private final JdbcSession session;
  private final TpccRandom random;
  private final Home home;
  private final OrderChoice choice;
  private final PreparedStatement oldest;
  private final PreparedStatement take;
  private final PreparedStatement customerOfOrder;
  private final PreparedStatement carry;
  private final PreparedStatement amount;
  private final PreparedStatement deliverLines;
  private final PreparedStatement charge;
  private final int[] orders = new int[Population.DISTRICTS + 1];
  private final int[] choices = new int[Population.DISTRICTS + 1];
  private int carrier;
  private int delivered;

  Delivery(JdbcSession session, TpccRandom random, Home home) throws SQLException {
    this.session = session;
    this.random = random;
    this.home = home;
    this.choice = new OrderChoice(random, home);
    this.oldest = session.prepare(home.compat() ? "delivery.any" : "delivery.oldest");
    this.take = session.prepare("delivery.take");
    this.customerOfOrder = session.prepare("delivery.customer_of_order");
    this.carry = session.prepare("delivery.carry");
    this.amount = session.prepare("delivery.amount");
    this.deliverLines = session.prepare("delivery.deliver_lines");
    this.charge = session.prepare("delivery.charge");
  }

  @Override
  public void draw() {
    carrier = random.uniform(1, 10);
    for (int district = 1; home.compat() && district <= Population.DISTRICTS; district++) {
      choices[district] = choice.undelivered();
    }
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    clearBatches();
    delivered = takeOldestOrders();
    if (delivered > 0) {
      carryOrders();
      chargeCustomers();
    }
    return session.commit();
  }

  /** Discards batches that a previous attempt left when it met a conflict. */
  private void clearBatches() throws SQLException {
    take.clearBatch();
    carry.clearBatch();
    deliverLines.clearBatch();
    charge.clearBatch();
  }

  /** Returns the number of orders delivered last, which is below ten if districts had none. */
  int delivered() {
    return delivered;
  }

  private int takeOldestOrders() throws SQLException {
    int found = 0;
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      oldest.setInt(1, home.warehouse());
      oldest.setInt(2, district);
      if (home.compat()) {
        oldest.setInt(3, choices[district]);
      }
      try (ResultSet row = oldest.executeQuery()) {
        orders[district] = row.next() ? row.getInt(1) : NONE;
      }
      if (orders[district] != NONE) {
        bind(take, 1, district);
        take.addBatch();
        found++;
      }
    }
    if (found > 0) {
      requireAllTaken(take.executeBatch());
    }
    return found;
  }

  /**
   * Fails if an order is gone: below serializable another delivery may have taken it after it was
   * read.
   */
  private static void requireAllTaken(int[] changed) throws SQLException {
    for (int rows : changed) {
      if (rows == 0) {
        throw new SQLTransactionRollbackException("order delivered by another", "40001");
      }
    }
  }

  private void carryOrders() throws SQLException {
    Timestamp now = new Timestamp(System.currentTimeMillis());
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      if (orders[district] != NONE) {
        carry.setInt(1, carrier);
        bind(carry, 2, district);
        carry.addBatch();
        deliverLines.setTimestamp(1, now);
        bind(deliverLines, 2, district);
        deliverLines.addBatch();
      }
    }
    carry.executeBatch();
    deliverLines.executeBatch();
  }

  private void chargeCustomers() throws SQLException {
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      if (orders[district] != NONE) {
        int customer = readCustomer(district);
        charge.setBigDecimal(1, readAmount(district));
        charge.setInt(2, home.warehouse());
        charge.setInt(3, district);
        charge.setInt(4, customer);
        charge.addBatch();
      }
    }
    charge.executeBatch();
  }

  private int readCustomer(int district) throws SQLException {
    bind(customerOfOrder, 1, district);
    try (ResultSet row = customerOfOrder.executeQuery()) {
      JdbcSession.single(row, "order");
      return row.getInt(1);
    }
  }

  private BigDecimal readAmount(int district) throws SQLException {
    bind(amount, 1, district);
    try (ResultSet row = amount.executeQuery()) {
      JdbcSession.single(row, "amount of order");
      return row.getBigDecimal(1);
    }
  }

  private void bind(PreparedStatement statement, int from, int district) throws SQLException {
    statement.setInt(from, home.warehouse());
    statement.setInt(from + 1, district);
    statement.setInt(from + 2, orders[district]);
  }
}
