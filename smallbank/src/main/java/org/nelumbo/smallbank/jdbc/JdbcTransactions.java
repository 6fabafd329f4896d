package org.nelumbo.smallbank.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Creates the six transactions of a terminal that uses JDBC. */
public final class JdbcTransactions {
  private JdbcTransactions() {}

  /**
   * Creates one transaction of each type, in the order of the types, with its statements prepared.
   */
  public static List<SmallBankTransaction> of(JdbcSession session, CustomerInput input)
      throws SQLException {
    Accounts accounts = new Accounts(session, input);
    return List.of(
        new Amalgamate(session, input, accounts),
        new Balance(session, input, accounts),
        new DepositChecking(session, input, accounts),
        new SendPayment(session, input, accounts),
        new TransactSavings(session, input, accounts),
        new WriteCheck(session, input, accounts));
  }
}
