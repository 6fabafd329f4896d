package org.nelumbo.smallbank.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.smallbank.terminal.Amounts;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Deposits money to a customer's checking account. */
final class DepositChecking implements SmallBankTransaction {
  private static final BigDecimal DEPOSIT = Amounts.ofCents(Amounts.DEPOSIT);

  private final JdbcSession session;
  private final CustomerInput input;
  private final Accounts accounts;
  private final PreparedStatement add;

  DepositChecking(JdbcSession session, CustomerInput input, Accounts accounts) throws SQLException {
    this.session = session;
    this.input = input;
    this.accounts = accounts;
    this.add = session.prepare("add_to_checking");
  }

  @Override
  public void draw() {
    input.drawOne();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    Accounts.add(add, DEPOSIT, accounts.first());
    return session.commit();
  }

  @Override
  public long broughtIn() {
    return Amounts.DEPOSIT;
  }
}
