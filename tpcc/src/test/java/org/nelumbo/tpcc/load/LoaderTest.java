package org.nelumbo.tpcc.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.tpcc.TestDatabase.TINY;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.tpcc.TestDatabase;
import org.nelumbo.tpcc.check.ConsistencyConditions;
import org.nelumbo.tpcc.data.Population;

class LoaderTest {
  private static final int WAREHOUSES = 2;
  private static TestDatabase database;

  @BeforeAll
  static void load() throws Exception {
    database = new TestDatabase(WAREHOUSES, true);
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "item, 100",
    "warehouse, 2",
    "stock, 200",
    "district, 20",
    "customer, 600",
    "history, 600",
    "orders, 600",
    "new_order, 180"
  })
  void shouldLoadSoManyRows(String table, long rows) throws SQLException {
    assertEquals(rows, database.number("SELECT COUNT(*) FROM " + table));
  }

  @Test
  void shouldLoadFiveToFifteenLinesAnOrder() throws SQLException {
    assertEquals(
        database.number("SELECT SUM(o_ol_cnt) FROM orders"),
        database.number("SELECT COUNT(*) FROM order_line"));
    assertEquals(5, database.number("SELECT MIN(o_ol_cnt) FROM orders"));
    assertEquals(15, database.number("SELECT MAX(o_ol_cnt) FROM orders"));
  }

  @Test
  void shouldSatisfyAllTwelveConditions() throws SQLException {
    var results = new ConsistencyConditions(database.database(), TINY, false).checkAfterLoad();
    assertEquals(12, results.size());
    assertTrue(results.stream().allMatch(CheckResult::passed), results::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "warehouse | w_tax BETWEEN 0 AND 0.2",
        "warehouse | w_ytd = 3000",
        "district | d_next_o_id = 31",
        "customer | c_middle = 'OE' AND c_credit IN ('GC', 'BC') AND c_credit_lim = 50000",
        "customer | c_balance = -10 AND c_ytd_payment = 10 AND c_payment_cnt = 1",
        "customer | c_delivery_cnt = 0 AND c_discount BETWEEN 0 AND 0.5",
        "customer | LENGTH(c_data) BETWEEN 300 AND 500 AND LENGTH(c_phone) = 16",
        "stock | s_quantity BETWEEN 10 AND 100 AND s_ytd = 0 AND s_order_cnt = 0",
        "item | i_price BETWEEN 1 AND 100 AND LENGTH(i_name) BETWEEN 14 AND 24",
        "orders | (o_id <= 21) = (o_carrier_id IS NOT NULL)",
        "orders | o_all_local = 1",
        "order_line | (ol_o_id <= 21) = (ol_delivery_d IS NOT NULL)",
        "order_line | (ol_o_id <= 21) = (ol_amount = 0)",
        "order_line | ol_quantity = 5 AND ol_supply_w_id = ol_w_id",
        "history | h_amount = 10 AND h_c_d_id = h_d_id"
      })
  void shouldFollowThePopulationRules(String table, String rule) throws SQLException {
    assertEquals(0, database.number("SELECT COUNT(*) FROM " + table + " WHERE NOT (" + rule + ")"));
  }

  @Test
  void shouldLoadOneOrderPerCustomerInRandomOrder() throws SQLException {
    assertEquals(
        600,
        database.number(
            "SELECT COUNT(*) FROM (SELECT DISTINCT o_w_id, o_d_id, o_c_id FROM orders) x"));
    assertTrue(database.number("SELECT COUNT(*) FROM orders WHERE o_c_id = o_id") < 100);
  }

  @Test
  void shouldLoadFirstCustomersWithDistinctLastNames() throws SQLException {
    long names =
        database.number(
            "SELECT COUNT(DISTINCT c_last) FROM customer WHERE c_w_id = 1 AND c_d_id = 1");
    assertEquals(30, names);
  }

  @Test
  void shouldLoadTheSamePopulationForTheSameSeed() throws Exception {
    try (TestDatabase again = new TestDatabase(WAREHOUSES, false)) {
      for (String sum :
          new String[] {"SUM(s_quantity) FROM stock", "SUM(ol_amount) FROM order_line"}) {
        assertEquals(database.number("SELECT " + sum), again.number("SELECT " + sum));
      }
    }
  }

  @Test
  void shouldDefinePopulationOfSpecification() {
    assertEquals(100_000, Population.SPEC.items());
    assertEquals(3_000, Population.SPEC.customersPerDistrict());
    assertEquals(2_100, Population.SPEC.deliveredPerDistrict());
    assertEquals(999, Population.SPEC.lastNameMax());
    // warehouse, stock, districts, customers, history, orders, lines, new orders
    assertEquals(
        1 + 100_000 + 10 + 30_000 + 30_000 + 30_000 + 300_000 + 9_000,
        Population.SPEC.rowsPerWarehouse());
  }
}
