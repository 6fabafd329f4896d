package org.nelumbo.smallbank.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.smallbank.terminal.Amounts;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Sends money from one checking account to another, unless the balance is too low. */
final class SendPayment implements SmallBankTransaction {
  private static final BigDecimal PAYMENT = Amounts.ofCents(Amounts.PAYMENT);
  private static final BigDecimal TAKEN = PAYMENT.negate();

  private final JdbcSession session;
  private final CustomerInput input;
  private final Accounts accounts;
  private final PreparedStatement checking;
  private final PreparedStatement add;

  SendPayment(JdbcSession session, CustomerInput input, Accounts accounts) throws SQLException {
    this.session = session;
    this.input = input;
    this.accounts = accounts;
    this.checking = session.prepare("checking_to_change");
    this.add = session.prepare("add_to_checking");
  }

  @Override
  public void draw() {
    input.drawTwo();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    long sender = accounts.first();
    long receiver = accounts.second();
    if (Accounts.balance(checking, sender).compareTo(PAYMENT) < 0) {
      return session.rollBack();
    }
    Accounts.add(add, TAKEN, sender);
    Accounts.add(add, PAYMENT, receiver);
    return session.commit();
  }

  @Override
  public long broughtIn() {
    return 0;
  }
}
