package org.nelumbo.tpcc.jdbc;

import java.math.BigDecimal;
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
import org.nelumbo.tpcc.terminal.PaymentInput;

/**
 * Payment, clause 2.5: a customer pays. For a customer with bad credit, the payment is recorded in
 * the customer's data.
 */
final class Payment implements TerminalTransaction {
  private static final int DATA_LENGTH_MAX = 500;
  private static final int CUSTOMER_CREDIT_COLUMN = 11;

  private final JdbcSession session;
  private final Home home;
  private final PaymentInput input;
  private final CustomerChoice choice;

  private final PreparedStatement warehousePays;
  private final PreparedStatement warehouse;
  private final PreparedStatement districtPays;
  private final PreparedStatement district;
  private final PreparedStatement customer;
  private final PreparedStatement customerPays;
  private final PreparedStatement data;
  private final PreparedStatement badCustomerPays;
  private final PreparedStatement history;

  private BigDecimal amount;

  Payment(JdbcSession session, TpccRandom random, Home home) throws SQLException {
    this.session = session;
    this.input = new PaymentInput(random, home);
    this.home = home;
    this.choice = new CustomerChoice(session, input.customer());
    this.warehousePays = session.prepare("payment.warehouse_pays");
    this.warehouse = session.prepare("payment.warehouse");
    this.districtPays = session.prepare("payment.district_pays");
    this.district = session.prepare("payment.district");
    this.customer = session.prepare("payment.customer");
    this.customerPays = session.prepare("payment.customer_pays");
    this.data = session.prepare("payment.data");
    this.badCustomerPays = session.prepare("payment.bad_customer_pays");
    this.history = session.prepare("payment.history");
  }

  @Override
  public void draw() {
    input.draw();
    amount = Money.ofCents(input.cents());
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    String warehouseName = payWarehouse();
    String districtName = payDistrict();
    int customerNumber = choice.number();
    if (isBadCredit(customerNumber)) {
      payBadCustomer(customerNumber, dataWithPayment(customerNumber));
    } else {
      payCustomer(customerNumber);
    }
    insertHistory(customerNumber, warehouseName + "    " + districtName);
    return session.commit();
  }

  private String payWarehouse() throws SQLException {
    warehousePays.setBigDecimal(1, amount);
    warehousePays.setInt(2, home.warehouse());
    JdbcSession.updateOne(warehousePays, "payment to warehouse");
    warehouse.setInt(1, home.warehouse());
    return readNameAndAddress(warehouse, "warehouse");
  }

  private String payDistrict() throws SQLException {
    districtPays.setBigDecimal(1, amount);
    districtPays.setInt(2, home.warehouse());
    districtPays.setInt(3, input.district());
    JdbcSession.updateOne(districtPays, "payment to district");
    district.setInt(1, home.warehouse());
    district.setInt(2, input.district());
    return readNameAndAddress(district, "district");
  }

  private static String readNameAndAddress(PreparedStatement query, String what)
      throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      JdbcSession.single(row, what);
      for (int i = 2; i <= 6; i++) {
        row.getString(i);
      }
      return row.getString(1);
    }
  }

  /** Reads all columns of the customer that the user sees; returns true if the credit is bad. */
  private boolean isBadCredit(int customerNumber) throws SQLException {
    bindCustomer(customer, 1, customerNumber);
    try (ResultSet row = customer.executeQuery()) {
      JdbcSession.single(row, "customer");
      for (int i = 1; i <= 9; i++) {
        row.getString(i);
      }
      row.getTimestamp(10);
      for (int i = 12; i <= 14; i++) {
        row.getBigDecimal(i);
      }
      return row.getString(CUSTOMER_CREDIT_COLUMN).startsWith("BC");
    }
  }

  private void payCustomer(int customerNumber) throws SQLException {
    customerPays.setBigDecimal(1, amount);
    customerPays.setBigDecimal(2, amount);
    bindCustomer(customerPays, 3, customerNumber);
    JdbcSession.updateOne(customerPays, "payment of customer");
  }

  private String dataWithPayment(int customerNumber) throws SQLException {
    StringBuilder text = new StringBuilder(DATA_LENGTH_MAX + 64);
    text.append(customerNumber).append(' ').append(choice.district()).append(' ');
    text.append(choice.warehouse()).append(' ').append(input.district()).append(' ');
    text.append(home.warehouse()).append(' ').append(amount.toPlainString()).append('|');
    bindCustomer(data, 1, customerNumber);
    try (ResultSet row = data.executeQuery()) {
      JdbcSession.single(row, "customer");
      text.append(row.getString(1));
    }
    return text.substring(0, Math.min(text.length(), DATA_LENGTH_MAX));
  }

  private void payBadCustomer(int customerNumber, String newData) throws SQLException {
    badCustomerPays.setBigDecimal(1, amount);
    badCustomerPays.setBigDecimal(2, amount);
    badCustomerPays.setString(3, newData);
    bindCustomer(badCustomerPays, 4, customerNumber);
    JdbcSession.updateOne(badCustomerPays, "payment of customer");
  }

  private void insertHistory(int customerNumber, String text) throws SQLException {
    history.setInt(1, customerNumber);
    history.setInt(2, choice.district());
    history.setInt(3, choice.warehouse());
    history.setInt(4, input.district());
    history.setInt(5, home.warehouse());
    history.setTimestamp(6, new Timestamp(System.currentTimeMillis()));
    history.setBigDecimal(7, amount);
    history.setString(8, text);
    JdbcSession.updateOne(history, "history");
  }

  private void bindCustomer(PreparedStatement statement, int from, int customerNumber)
      throws SQLException {
    statement.setInt(from, choice.warehouse());
    statement.setInt(from + 1, choice.district());
    statement.setInt(from + 2, customerNumber);
  }
}
