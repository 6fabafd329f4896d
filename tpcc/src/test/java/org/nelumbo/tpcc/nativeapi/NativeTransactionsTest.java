package org.nelumbo.tpcc.nativeapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.TestDatabase;
import org.nelumbo.tpcc.check.ConsistencyConditions;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.jdbc.JdbcTerminals;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.TransactionType;

/** Proves that key operations and SQL leave the same rows for the same inputs. */
class NativeTransactionsTest {
  private static final String URL = "jdbc:nelumbo:mem:NAME?memory=256m";
  private static final NuRandConstants CONSTANTS = NuRandConstants.of(TestDatabase.SEED);
  private static final Home HOME = new Home(1, 1, 2, TestDatabase.TINY, false);

  /** Queries of all columns that do not hold the time of a transaction. */
  private static final List<String> CONTENTS =
      List.of(
          "SELECT w_id, w_name, w_tax, w_ytd FROM warehouse ORDER BY w_id",
          "SELECT d_w_id, d_id, d_name, d_ytd, d_next_o_id FROM district ORDER BY d_w_id, d_id",
          "SELECT c_w_id, c_d_id, c_id, c_last, c_credit, c_balance, c_ytd_payment, c_payment_cnt,"
              + " c_delivery_cnt, c_data FROM customer ORDER BY c_w_id, c_d_id, c_id",
          "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount, h_data FROM history ORDER"
              + " BY h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount, h_data",
          "SELECT o_w_id, o_d_id, o_id, o_c_id, o_carrier_id, o_ol_cnt, o_all_local FROM orders"
              + " ORDER BY o_w_id, o_d_id, o_id",
          "SELECT o_id FROM orders WHERE o_w_id = 1 AND o_c_id < 20 ORDER BY o_d_id, o_c_id, o_id",
          "SELECT no_w_id, no_d_id, no_o_id FROM new_order ORDER BY no_w_id, no_d_id, no_o_id",
          "SELECT s_w_id, s_i_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt, s_data FROM stock"
              + " ORDER BY s_w_id, s_i_id",
          "SELECT ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,"
              + " ol_amount, ol_dist_info, CASE WHEN ol_delivery_d IS NULL THEN 0 ELSE 1 END"
              + " FROM order_line ORDER BY ol_w_id, ol_d_id, ol_o_id, ol_number");

  private TestDatabase bySql;
  private TestDatabase byKeys;

  @BeforeEach
  void load() throws Exception {
    bySql = new TestDatabase(URL, 2, false);
    byKeys = new TestDatabase(URL, 2, false);
  }

  @AfterEach
  void close() throws SQLException {
    bySql.close();
    byKeys.close();
  }

  private static TpccRandom random() {
    return new TpccRandom(9, CONSTANTS);
  }

  private static List<Outcome> run(
      Terminal terminal, int times, Map<TransactionType, Integer> dealt) throws SQLException {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      dealt.merge(TransactionType.values()[terminal.draw()], 1, Integer::sum);
      outcomes.add(terminal.execute());
    }
    return outcomes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLeaveSameRowsAsSql(boolean compat) throws SQLException {
    Home home = new Home(1, 1, 2, TestDatabase.TINY, compat);
    Map<TransactionType, Integer> dealt = new EnumMap<>(TransactionType.class);
    try (Connection one = bySql.database().connect();
        Connection two = byKeys.database().connect();
        Terminal sql =
            JdbcTerminals.open(
                one,
                new StatementTexts(bySql.database(), JdbcTerminals.class),
                random(),
                home,
                false,
                true);
        Terminal keys = NativeTerminals.open(two, random(), home, false)) {
      List<Outcome> expected = run(sql, 1_200, new EnumMap<>(TransactionType.class));
      assertEquals(expected, run(keys, 1_200, dealt));
      assertEquals(!compat, expected.contains(Outcome.ROLLED_BACK), "an unused item was ordered");
    }
    assertEquals(TransactionType.values().length, dealt.size());
    for (String query : CONTENTS) {
      assertEquals(bySql.rows(query), byKeys.rows(query), query);
    }
    var checks =
        new ConsistencyConditions(byKeys.database(), TestDatabase.TINY, compat).checkAfterRun();
    assertTrue(checks.stream().allMatch(CheckResult::passed), checks::toString);
  }

  @Test
  void shouldReturnResultsThatMatchTables() throws SQLException {
    try (Connection connection = byKeys.database().connect();
        TpccSession session = new TpccSession(connection)) {
      OrderStatus status = new OrderStatus(session, random(), HOME);
      for (int i = 0; i < 20; i++) {
        commit(status);
        assertTrue(status.linesShown() >= 5 && status.linesShown() <= 15);
      }
      StockLevel level = new StockLevel(session, random(), HOME);
      byKeys.change("UPDATE stock SET s_quantity = 50");
      commit(level);
      assertEquals(0, level.low());
      byKeys.change("UPDATE stock SET s_quantity = 9 WHERE s_w_id = 1");
      commit(level);
      String items =
          "SELECT COUNT(DISTINCT ol_i_id) FROM order_line"
              + " WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id BETWEEN 11 AND 30";
      assertEquals(List.of(level.low() + "|"), byKeys.rows(items));
      NewOrder order = new NewOrder(session, random(), HOME);
      commit(order);
      assertTrue(order.totalCents() > 0);
    }
  }

  @Test
  void shouldSkipDistrictsWithoutOrders() throws SQLException {
    try (Connection connection = byKeys.database().connect();
        TpccSession session = new TpccSession(connection)) {
      Delivery delivery = new Delivery(session, random(), HOME);
      byKeys.change("DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 4");
      commit(delivery);
      assertEquals(9, delivery.delivered());
      for (int i = 0; i < 9; i++) {
        commit(delivery);
      }
      assertEquals(0, delivery.delivered());
    }
  }

  private static void commit(TerminalTransaction transaction) throws SQLException {
    transaction.draw();
    assertEquals(Outcome.COMMITTED, transaction.execute());
  }
}
