package org.nelumbo.smallbank.jdbc;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Moves the balances of both accounts of one customer to the checking account of another. */
final class Amalgamate implements SmallBankTransaction {
  private final JdbcSession session;
  private final CustomerInput input;
  private final Accounts accounts;
  private final PreparedStatement savings;
  private final PreparedStatement checking;
  private final PreparedStatement addToSavings;
  private final PreparedStatement addToChecking;

  Amalgamate(JdbcSession session, CustomerInput input, Accounts accounts) throws SQLException {
    this.session = session;
    this.input = input;
    this.accounts = accounts;
    this.savings = session.prepare("savings_to_change");
    this.checking = session.prepare("checking_to_change");
    this.addToSavings = session.prepare("add_to_savings");
    this.addToChecking = session.prepare("add_to_checking");
  }

  @Override
  public void draw() {
    input.drawTwo();
  }

  @Override
  public Outcome execute() throws SQLException {
    session.begin(false);
    long giver = accounts.first();
    long taker = accounts.second();
    BigDecimal saved = Accounts.balance(savings, giver);
    BigDecimal checked = Accounts.balance(checking, giver);
    Accounts.add(addToSavings, saved.negate(), giver);
    Accounts.add(addToChecking, checked.negate(), giver);
    Accounts.add(addToChecking, saved.add(checked), taker);
    return session.commit();
  }

  @Override
  public long broughtIn() {
    return 0;
  }
}
