package org.nelumbo.smallbank.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.smallbank.terminal.Amounts;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/**
 * Deposits money to a customer's savings account or withdraws it, unless that would overdraw the
 * account.
 */
final class TransactSavings implements SmallBankTransaction {
  private static final BigDecimal DEPOSIT = Amounts.ofCents(Amounts.TRANSACTION);
  private static final BigDecimal WITHDRAWAL = Amounts.ofCents(-Amounts.TRANSACTION);

  private final JdbcSession session;
  private final CustomerInput input;
  private final Accounts accounts;
  private final PreparedStatement savings;
  private final PreparedStatement add;
  private boolean withdraws;

  TransactSavings(JdbcSession session, CustomerInput input, Accounts accounts) throws SQLException {
    this.session = session;
    this.input = input;
    this.accounts = accounts;
    this.savings = session.prepare("savings_to_change");
    this.add = session.prepare("add_to_savings");
  }

  @Override
  public void draw() {
    input.drawOne();
    withdraws = input.withdraws();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    long customer = accounts.first();
    BigDecimal amount = withdraws ? WITHDRAWAL : DEPOSIT;
    if (Accounts.balance(savings, customer).add(amount).signum() < 0) {
      return session.rollBack();
    }
    Accounts.add(add, amount, customer);
    return session.commit();
  }

  @Override
  public long broughtIn() {
    return withdraws ? -Amounts.TRANSACTION : Amounts.TRANSACTION;
  }
}
