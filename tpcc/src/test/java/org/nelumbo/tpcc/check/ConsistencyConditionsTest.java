package org.nelumbo.tpcc.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.tpcc.TestDatabase.TINY;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.tpcc.TestDatabase;

/** Violates each condition by one row, checks that it is reported, and repairs the row. */
class ConsistencyConditionsTest {
  private static final String ORDER_25 = " WHERE o_w_id = 1 AND o_d_id = 3 AND o_id = 25";
  private static TestDatabase database;

  @BeforeAll
  static void load() throws Exception {
    database = new TestDatabase(1, false);
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // condition | conditions that report it | damage | repair
        "3.3.2.1 | 1 8 | UPDATE warehouse SET w_ytd = w_ytd + 0.01 |"
            + " UPDATE warehouse SET w_ytd = w_ytd - 0.01",
        "3.3.2.2 | 2 | UPDATE district SET d_next_o_id = 32 WHERE d_id = 3 |"
            + " UPDATE district SET d_next_o_id = 31 WHERE d_id = 3",
        "3.3.2.3 | 3 5 11 | DELETE FROM new_order WHERE no_d_id = 3 AND no_o_id = 25 |"
            + " INSERT INTO new_order VALUES (25, 3, 1)",
        "3.3.2.4 | 4 6 | UPDATE orders SET o_ol_cnt = o_ol_cnt + 1"
            + ORDER_25
            + " |"
            + " UPDATE orders SET o_ol_cnt = o_ol_cnt - 1"
            + ORDER_25,
        "3.3.2.5 | 5 7 | UPDATE orders SET o_carrier_id = 1"
            + ORDER_25
            + " |"
            + " UPDATE orders SET o_carrier_id = NULL"
            + ORDER_25,
        "3.3.2.6 | 6 | UPDATE orders SET o_ol_cnt = o_ol_cnt + CASE o_id WHEN 24 THEN 1 ELSE -1 END"
            + " WHERE o_d_id = 3 AND o_id IN (24, 25) |"
            + " UPDATE orders SET o_ol_cnt = o_ol_cnt - CASE o_id WHEN 24 THEN 1 ELSE -1 END"
            + " WHERE o_d_id = 3 AND o_id IN (24, 25)",
        "3.3.2.7 | 7 | UPDATE order_line SET ol_delivery_d = NULL"
            + " WHERE ol_d_id = 3 AND ol_o_id = 5 AND ol_number = 2 |"
            + " UPDATE order_line SET ol_delivery_d = CURRENT_TIMESTAMP"
            + " WHERE ol_d_id = 3 AND ol_o_id = 5 AND ol_number = 2",
        "3.3.2.8 | 8 9 10 | UPDATE history SET h_amount = 10.01 WHERE h_d_id = 3 AND h_c_id = 4 |"
            + " UPDATE history SET h_amount = 10.00 WHERE h_d_id = 3 AND h_c_id = 4",
        "3.3.2.9 | 9 | UPDATE history SET h_d_id = 4 WHERE h_d_id = 3 AND h_c_id = 4 |"
            + " UPDATE history SET h_d_id = 3 WHERE h_c_d_id = 3 AND h_c_id = 4",
        "3.3.2.10 | 10 | UPDATE customer SET c_balance = c_balance - 0.01,"
            + " c_ytd_payment = c_ytd_payment + 0.01 WHERE c_d_id = 3 AND c_id = 4 |"
            + " UPDATE customer SET c_balance = c_balance + 0.01,"
            + " c_ytd_payment = c_ytd_payment - 0.01 WHERE c_d_id = 3 AND c_id = 4",
        "3.3.2.11 | 5 11 | INSERT INTO orders SELECT 0, o_d_id, o_w_id, o_c_id, o_entry_d,"
            + " o_carrier_id, 0, 1 FROM orders"
            + ORDER_25
            + " |"
            + " DELETE FROM orders WHERE o_id = 0",
        "3.3.2.12 | 12 | UPDATE customer SET c_ytd_payment = 10.01 WHERE c_d_id = 3 AND c_id = 4 |"
            + " UPDATE customer SET c_ytd_payment = 10.00 WHERE c_d_id = 3 AND c_id = 4"
      })
  void shouldReportTheRowThatBreaksIt(
      String condition, String reporting, String breakIt, String mendIt) throws SQLException {
    try {
      assertTrue(database.change(breakIt) > 0);
      List<CheckResult> failed = failed();
      List<String> expected =
          List.of(reporting.split(" ")).stream().map(n -> "3.3.2." + n).toList();
      assertEquals(expected, failed.stream().map(ConsistencyConditionsTest::clause).toList());
      assertTrue(expected.contains(condition));
      assertTrue(failed.stream().allMatch(r -> !r.sample().isEmpty()));
    } finally {
      database.change(mendIt);
    }
    assertEquals(List.of(), failed());
  }

  @Test
  void shouldNameTheOffendingRow() throws SQLException {
    database.change("UPDATE district SET d_next_o_id = 33 WHERE d_id = 7");
    try {
      CheckResult failed = failed().getFirst();
      assertEquals(1, failed.offendingRows());
      assertEquals(List.of("w=1 d=7 d_next_o_id=33 max_o_id=30 max_no_o_id=30"), failed.sample());
    } finally {
      database.change("UPDATE district SET d_next_o_id = 31 WHERE d_id = 7");
    }
  }

  @Test
  void shouldExemptDistrictsWithoutNewOrders() throws Exception {
    try (TestDatabase delivered = new TestDatabase(1, false)) {
      delivered.change("DELETE FROM new_order WHERE no_d_id = 2");
      delivered.change("UPDATE orders SET o_carrier_id = 1 WHERE o_d_id = 2");
      delivered.change("UPDATE order_line SET ol_delivery_d = CURRENT_TIMESTAMP WHERE ol_d_id = 2");
      delivered.change("UPDATE order_line SET ol_amount = 0 WHERE ol_d_id = 2");
      var results = new ConsistencyConditions(delivered.database(), TINY, false).checkAfterRun();
      assertTrue(results.stream().allMatch(CheckResult::passed), results::toString);
    }
  }

  private static List<CheckResult> failed() throws SQLException {
    return new ConsistencyConditions(database.database(), TINY, false)
        .checkAfterLoad().stream().filter(r -> !r.passed()).toList();
  }

  private static String clause(CheckResult result) {
    return result.name().substring(0, result.name().indexOf(' '));
  }
}
