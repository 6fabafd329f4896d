package org.nelumbo.smallbank.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Reads the sum of both accounts of a customer. Reads only. */
final class Balance implements SmallBankTransaction {
  private final JdbcSession session;
  private final CustomerInput input;
  private final Accounts accounts;
  private final PreparedStatement savings;
  private final PreparedStatement checking;
  private BigDecimal shown;

  Balance(JdbcSession session, CustomerInput input, Accounts accounts) throws SQLException {
    this.session = session;
    this.input = input;
    this.accounts = accounts;
    this.savings = session.prepare("savings");
    this.checking = session.prepare("checking");
  }

  @Override
  public void draw() {
    input.drawOne();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(true);
    long customer = accounts.first();
    shown = Accounts.balance(savings, customer).add(Accounts.balance(checking, customer));
    return session.commit();
  }

  /** Returns the sum that the last run read. */
  BigDecimal shown() {
    return shown;
  }

  @Override
  public long broughtIn() {
    return 0;
  }
}
