package org.nelumbo.smallbank.nativeapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.smallbank.TestBank;
import org.nelumbo.smallbank.jdbc.JdbcTransactions;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.Customers;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;
import org.nelumbo.smallbank.terminal.TransactionType;

/** Proves that key operations and SQL leave the same rows for the same inputs. */
class NativeTransactionsTest {
  private static final String URL = "jdbc:nelumbo:mem:NAME?memory=256m";
  private static final Customers CUSTOMERS = new Customers(TestBank.CUSTOMERS, 5, 50);

  /** One transaction of a run. */
  private record Step(int type, Outcome outcome, long broughtIn) {}

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLeaveSameRowsAsSql(boolean compat) throws Exception {
    try (TestBank bySql = new TestBank(URL, compat);
        TestBank byKeys = new TestBank(URL, compat)) {
      List<Step> steps = runSql(bySql, compat);
      assertEquals(steps, runKeys(byKeys, compat));
      assertTrue(steps.stream().anyMatch(step -> step.outcome == Outcome.ROLLED_BACK));
      assertTrue(steps.stream().anyMatch(step -> step.broughtIn == -600), "a penalty");
      for (String table : List.of("savings", "checking")) {
        String query = "SELECT custid, bal FROM " + table + " ORDER BY custid";
        assertEquals(bySql.rows(query), byKeys.rows(query));
        assertFalse(bySql.rows(query).isEmpty());
      }
    }
  }

  private static List<Step> runSql(TestBank bank, boolean compat) throws SQLException {
    try (Connection connection = bank.database().connect();
        JdbcSession session =
            new JdbcSession(
                connection, new StatementTexts(bank.database(), JdbcTransactions.class))) {
      RandomValues random = new RandomValues(9);
      CustomerInput input = new CustomerInput(random, CUSTOMERS, !compat);
      return run(random, JdbcTransactions.of(session, input));
    }
  }

  private static List<Step> runKeys(TestBank bank, boolean compat) throws SQLException {
    try (Connection connection = bank.database().connect();
        NativeApiSession session = new NativeApiSession(connection)) {
      RandomValues random = new RandomValues(9);
      CustomerInput input = new CustomerInput(random, CUSTOMERS, !compat);
      return run(random, NativeTransactions.of(session, input));
    }
  }

  private static List<Step> run(RandomValues random, List<SmallBankTransaction> transactions)
      throws SQLException {
    Deck deck = new Deck(random, TransactionType.shares());
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      int type = deck.deal();
      SmallBankTransaction transaction = transactions.get(type);
      transaction.draw();
      steps.add(new Step(type, transaction.execute(), transaction.broughtIn()));
    }
    return steps;
  }
}
