package org.nelumbo.smallbank.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.smallbank.terminal.CustomerInput;

/**
 * The steps that a terminal's transactions share: finding a customer, reading a balance, changing
 * it. The statement that finds a customer is prepared at its first use.
 */
final class Accounts {
  private final JdbcSession session;
  private final CustomerInput input;
  private PreparedStatement customer;

  Accounts(JdbcSession session, CustomerInput input) {
    this.session = session;
    this.input = input;
  }

  /** Returns the number of the first customer, which is looked up if the input has a name. */
  long first() throws SQLException {
    return input.firstName() == null ? input.first() : find(input.firstName());
  }

  /** Returns the number of the second customer, which is looked up if the input has a name. */
  long second() throws SQLException {
    return input.secondName() == null ? input.second() : find(input.secondName());
  }

  private long find(String name) throws SQLException {
    if (customer == null) {
      customer = session.prepare("customer");
    }
    customer.setString(1, name);
    try (ResultSet row = customer.executeQuery()) {
      JdbcSession.single(row, "customer");
      return row.getLong(1);
    }
  }

  /** Returns the balance that a prepared query reads for a customer. */
  static BigDecimal balance(PreparedStatement query, long customer) throws SQLException {
    query.setLong(1, customer);
    try (ResultSet row = query.executeQuery()) {
      JdbcSession.single(row, "account");
      return row.getBigDecimal(1);
    }
  }

  /** Adds an amount to the balance of a customer. */
  static void add(PreparedStatement update, BigDecimal amount, long customer) throws SQLException {
    update.setBigDecimal(1, amount);
    update.setLong(2, customer);
    JdbcSession.updateOne(update, "change of an account");
  }
}
