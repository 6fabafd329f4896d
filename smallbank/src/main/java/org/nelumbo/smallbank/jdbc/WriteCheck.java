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
 * Deducts a check from a customer's checking account, with a penalty if both accounts together do
 * not cover it. It reads the savings account without locking it. This is the dangerous structure
 * that SmallBank was designed for: it is incorrect under snapshot isolation.
 */
final class WriteCheck implements SmallBankTransaction {
  private static final BigDecimal CHECK = Amounts.ofCents(Amounts.CHECK);

  private final JdbcSession session;
  private final CustomerInput input;
  private final Accounts accounts;
  private final PreparedStatement savings;
  private final PreparedStatement checking;
  private final PreparedStatement add;
  private long taken;

  WriteCheck(JdbcSession session, CustomerInput input, Accounts accounts) throws SQLException {
    this.session = session;
    this.input = input;
    this.accounts = accounts;
    this.savings = session.prepare("savings");
    this.checking = session.prepare("checking_to_change");
    this.add = session.prepare("add_to_checking");
  }

  @Override
  public void draw() {
    input.drawOne();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    long customer = accounts.first();
    BigDecimal both = Accounts.balance(savings, customer).add(Accounts.balance(checking, customer));
    taken = both.compareTo(CHECK) < 0 ? Amounts.CHECK + Amounts.PENALTY : Amounts.CHECK;
    Accounts.add(add, Amounts.ofCents(-taken), customer);
    return session.commit();
  }

  @Override
  public long broughtIn() {
    return -taken;
  }
}
