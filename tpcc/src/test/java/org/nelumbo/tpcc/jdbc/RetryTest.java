package org.nelumbo.tpcc.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.tpcc.TestDatabase.TINY;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.TestDatabase;
import org.nelumbo.tpcc.check.ConsistencyConditions;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;

/** Causes a conflict at each statement of each transaction, then runs the transaction again. */
class RetryTest {
  @Test
  void shouldLeaveNoEffectsOfConflictingAttempt() throws Exception {
    try (TestDatabase database = new TestDatabase(1, false);
        Connection real = database.database().connect()) {
      ConflictingConnection conflicting = new ConflictingConnection(real);
      StatementTexts texts = new StatementTexts(database.database(), JdbcTerminals.class);
      try (JdbcSession session = new JdbcSession(conflicting.connection(), texts)) {
        TpccRandom random = new TpccRandom(1, NuRandConstants.of(1));
        Home home = new Home(1, 1, 1, TINY, false);
        int orders = 0;
        for (OrderLines lines : List.of(new LinesOneByOne(session), new LinesTogether(session))) {
          NewOrder newOrder = new NewOrder(session, random, home, lines);
          orders += conflictEverywhere(newOrder, conflicting, real);
        }
        conflictEverywhere(new Payment(session, random, home), conflicting, real);
        conflictEverywhere(new Delivery(session, random, home), conflicting, real);
        assertEquals(orders, database.number("SELECT SUM(d_next_o_id - 31) FROM district"));
        assertEquals(
            database.number("SELECT SUM(ol_quantity) FROM order_line WHERE ol_o_id > 30"),
            database.number("SELECT SUM(s_ytd) FROM stock"));
      }
      List<CheckResult> results =
          new ConsistencyConditions(database.database(), TINY, false).checkAfterRun();
      assertTrue(results.stream().allMatch(CheckResult::passed), results::toString);
    }
  }

  /** Returns the number of committed transactions. */
  private static int conflictEverywhere(
      TerminalTransaction transaction, ConflictingConnection conflicting, Connection real)
      throws SQLException {
    int committed = 0;
    int step = 1;
    do {
      transaction.draw();
      conflicting.conflictAt(step++);
      Outcome outcome;
      try {
        outcome = transaction.execute();
      } catch (SQLTransactionRollbackException conflict) {
        real.rollback();
        outcome = transaction.execute();
      }
      committed += outcome == Outcome.COMMITTED ? 1 : 0;
    } while (conflicting.met());
    assertTrue(step > 5, "there were places to meet a conflict at");
    return committed;
  }
}
