package org.nelumbo.tatp.nativeapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.TestRegister;
import org.nelumbo.tatp.jdbc.JdbcTransactions;
import org.nelumbo.tatp.load.Loader;
import org.nelumbo.tatp.terminal.Inputs;
import org.nelumbo.tatp.terminal.Subscribers;
import org.nelumbo.tatp.terminal.TransactionType;

/**
 * Proves that key operations and SQL have the same outcomes and leave the same rows for the same
 * inputs.
 */
class NativeTransactionsTest {
  private static final String URL = "jdbc:nelumbo:mem:NAME?memory=256m";
  private static final String H2 = "jdbc:h2:mem:NAME";
  private static final Subscribers SUBSCRIBERS = new Subscribers(TestRegister.SUBSCRIBERS, false);

  /** One transaction of a run. */
  private record Step(int type, Outcome outcome) {}

  @Test
  void shouldMatchSqlResultsOnNelumboAndH2() throws Exception {
    try (TestRegister bySql = new TestRegister(URL);
        TestRegister byKeys = new TestRegister(URL);
        TestRegister peer = new TestRegister(H2)) {
      List<Step> steps = runKeys(byKeys);
      assertEquals(steps, runSql(bySql));
      assertEquals(steps, runSql(peer));
      for (int type = 0; type < TransactionType.values().length; type++) {
        assertTrue(steps.contains(new Step(type, Outcome.COMMITTED)), "type " + type);
      }
      assertTrue(
          steps.contains(
              new Step(TransactionType.INSERT_CALL_FORWARDING.ordinal(), Outcome.ROLLED_BACK)));
      for (String table : Loader.TABLES) {
        String query = "SELECT * FROM " + table + " ORDER BY 1, 2, 3";
        assertEquals(bySql.rows(query), byKeys.rows(query));
        assertEquals(peer.rows(query), byKeys.rows(query));
        assertFalse(bySql.rows(query).isEmpty());
      }
    }
  }

  private static List<Step> runSql(TestRegister register) throws SQLException {
    Database database = register.database();
    try (Connection connection = database.connect();
        JdbcSession session =
            new JdbcSession(connection, new StatementTexts(database, JdbcTransactions.class))) {
      RandomValues random = new RandomValues(9);
      Inputs inputs = new Inputs(random, SUBSCRIBERS);
      return run(random, JdbcTransactions.of(session, inputs), database, connection);
    }
  }

  private static List<Step> runKeys(TestRegister register) throws SQLException {
    try (Connection connection = register.database().connect();
        NativeApiSession session = new NativeApiSession(connection)) {
      RandomValues random = new RandomValues(9);
      Inputs inputs = new Inputs(random, SUBSCRIBERS);
      return run(random, NativeTransactions.of(session, inputs), register.database(), connection);
    }
  }

  private static List<Step> run(
      RandomValues random,
      List<TerminalTransaction> transactions,
      Database database,
      Connection connection)
      throws SQLException {
    Deck deck = new Deck(random, TransactionType.shares());
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      int type = deck.deal();
      transactions.get(type).draw();
      Outcome outcome;
      try {
        outcome = transactions.get(type).execute();
      } catch (SQLException e) {
        assertEquals(TransactionType.INSERT_CALL_FORWARDING.ordinal(), type, e::toString);
        assertTrue(database.dialect().duplicateOrOrphan(e), e::toString);
        connection.rollback();
        outcome = Outcome.ROLLED_BACK;
      }
      steps.add(new Step(type, outcome));
    }
    return steps;
  }
}
