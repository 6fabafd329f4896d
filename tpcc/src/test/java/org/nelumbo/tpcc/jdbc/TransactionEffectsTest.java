package org.nelumbo.tpcc.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.tpcc.TestDatabase.TINY;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.TestDatabase;
import org.nelumbo.tpcc.check.ConsistencyConditions;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.CustomerInput;
import org.nelumbo.tpcc.terminal.Home;

class TransactionEffectsTest {
  private static final String NEW_LINES = " FROM order_line WHERE ol_o_id > 30";

  private final TpccRandom random = new TpccRandom(7, NuRandConstants.of(TestDatabase.SEED));
  private final Home home = new Home(1, 1, 2, TINY, false);
  private TestDatabase database;
  private Connection connection;
  private JdbcSession session;

  @BeforeEach
  void load() throws Exception {
    database = new TestDatabase(2, true);
    connection = database.database().connect();
    session =
        new JdbcSession(connection, new StatementTexts(database.database(), JdbcTerminals.class));
  }

  @AfterEach
  void close() throws SQLException {
    session.close();
    connection.close();
    database.close();
  }

  private NewOrder newOrder(boolean linesTogether) throws SQLException {
    OrderLines lines = linesTogether ? new LinesTogether(session) : new LinesOneByOne(session);
    return new NewOrder(session, random, home, lines);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEnterOrders(boolean together) throws SQLException {
    NewOrder newOrder = newOrder(together);
    int committed = run(newOrder, 300);
    assertEquals(committed, database.number("SELECT COUNT(*) FROM orders WHERE o_id > 30"));
    assertEquals(committed, database.number("SELECT COUNT(*) FROM new_order WHERE no_o_id > 30"));
    assertEquals(committed, database.number("SELECT SUM(d_next_o_id - 31) FROM district"));
    assertTrue(newOrder.totalCents() > 0);
    assertConsistent();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldDeductOrderedQuantityFromStock(boolean together) throws SQLException {
    database.change("CREATE TABLE before_run AS SELECT s_w_id, s_i_id, s_quantity FROM stock");
    run(newOrder(together), 300);
    assertTrue(
        database.number(
                "SELECT COUNT(*) FROM (SELECT ol_w_id, ol_d_id, ol_o_id, ol_i_id, ol_supply_w_id"
                    + NEW_LINES
                    + " GROUP BY ol_w_id, ol_d_id, ol_o_id, ol_i_id, ol_supply_w_id"
                    + " HAVING COUNT(*) > 1) x")
            > 0,
        "some orders name an item twice");
    assertEquals(
        database.number("SELECT SUM(ol_quantity)" + NEW_LINES),
        database.number("SELECT SUM(s_ytd) FROM stock"));
    assertEquals(
        database.number("SELECT COUNT(*)" + NEW_LINES),
        database.number("SELECT SUM(s_order_cnt) FROM stock"));
    assertEquals(
        database.number("SELECT COUNT(*)" + NEW_LINES + " AND ol_supply_w_id <> ol_w_id"),
        database.number("SELECT SUM(s_remote_cnt) FROM stock"));
    String refilled =
        "SELECT COUNT(*) FROM stock s JOIN before_run b ON b.s_w_id = s.s_w_id AND b.s_i_id ="
            + " s.s_i_id WHERE MOD(s.s_quantity + s.s_ytd - b.s_quantity, 91) <> 0";
    assertEquals(0, database.number(refilled), "stock is filled up by 91 at a time");
    assertEquals(0, database.number("SELECT COUNT(*) FROM stock WHERE s_quantity < 10"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldPriceLinesExactlyAndCopyTheDistrictText(boolean together) throws SQLException {
    run(newOrder(together), 50);
    String wrong =
        "SELECT COUNT(*) FROM order_line JOIN item ON i_id = ol_i_id"
            + " WHERE ol_o_id > 30 AND ol_amount <> i_price * ol_quantity";
    assertEquals(0, database.number(wrong));
    String text =
        "SELECT COUNT(*) FROM order_line JOIN stock ON s_w_id = ol_supply_w_id AND s_i_id = ol_i_id"
            + " WHERE ol_o_id > 30 AND ol_d_id = 10 AND ol_dist_info <> s_dist_10";
    assertEquals(0, database.number(text));
    assertTrue(database.number("SELECT COUNT(*)" + NEW_LINES + " AND ol_d_id = 10") > 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRollBackOrderWithUnusedItem(boolean together) throws SQLException {
    NewOrder newOrder = newOrder(together);
    long lines = database.number("SELECT COUNT(*) FROM order_line");
    Outcome outcome;
    do {
      newOrder.draw();
      outcome = newOrder.execute();
    } while (outcome == Outcome.COMMITTED);
    long rolledBackFrom = database.number("SELECT SUM(d_next_o_id - 31) FROM district");
    assertEquals(rolledBackFrom, database.number("SELECT COUNT(*) FROM orders WHERE o_id > 30"));
    assertTrue(database.number("SELECT COUNT(*) FROM order_line") > lines);
    assertEquals(
        database.number("SELECT SUM(ol_quantity)" + NEW_LINES),
        database.number("SELECT SUM(s_ytd) FROM stock"));
    assertConsistent();
  }

  @Test
  void shouldBookPayments() throws SQLException {
    assertEquals(200, run(new Payment(session, random, home), 200));
    assertEquals(200, database.number("SELECT COUNT(*) - 600 FROM history"));
    assertEquals(200, database.number("SELECT SUM(c_payment_cnt - 1) FROM customer"));
    assertTrue(database.number("SELECT COUNT(*) FROM history WHERE h_c_w_id <> h_w_id") > 10);
    assertEquals(
        database.number(
            "SELECT COUNT(*) FROM customer WHERE c_credit = 'BC' AND c_payment_cnt > 1"),
        database.number("SELECT COUNT(*) FROM customer WHERE c_data LIKE '%|%'"),
        "payments are noted for bad credit only");
    assertEquals(0, database.number("SELECT COUNT(*) FROM customer WHERE LENGTH(c_data) > 500"));
    assertConsistent();
  }

  @Test
  void shouldShowTheLastOrder() throws SQLException {
    OrderStatus status = new OrderStatus(session, random, home);
    for (int i = 0; i < 50; i++) {
      status.draw();
      assertEquals(Outcome.COMMITTED, status.execute());
      assertTrue(status.linesShown() >= 5 && status.linesShown() <= 15);
    }
    assertConsistent();
  }

  @Test
  void shouldDeliverTheOldestOrderOfEachDistrict() throws SQLException {
    Delivery delivery = new Delivery(session, random, home);
    assertEquals(1, run(delivery, 1));
    assertEquals(10, delivery.delivered());
    assertEquals(23, database.number("SELECT MIN(no_o_id) FROM new_order WHERE no_w_id = 1"));
    assertEquals(22, database.number("SELECT MIN(no_o_id) FROM new_order WHERE no_w_id = 2"));
    assertEquals(10, database.number("SELECT SUM(c_delivery_cnt) FROM customer"));
    assertConsistent();
  }

  @Test
  void shouldSkipDistrictsWithoutOrders() throws SQLException {
    Delivery delivery = new Delivery(session, random, home);
    database.change("DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 4");
    database.change("UPDATE orders SET o_carrier_id = 1 WHERE o_w_id = 1 AND o_d_id = 4");
    run(delivery, 1);
    assertEquals(9, delivery.delivered());
    run(delivery, 9);
    assertEquals(0, delivery.delivered());
    assertEquals(0, database.number("SELECT COUNT(*) FROM new_order WHERE no_w_id = 1"));
  }

  @Test
  void shouldCountItemsThatRunLow() throws SQLException {
    StockLevel level = new StockLevel(session, random, home);
    database.change("UPDATE stock SET s_quantity = 50");
    run(level, 1);
    assertEquals(0, level.low());
    database.change("UPDATE stock SET s_quantity = 9 WHERE s_w_id = 1");
    run(level, 1);
    long items =
        database.number(
            "SELECT COUNT(DISTINCT ol_i_id) FROM order_line"
                + " WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id BETWEEN 11 AND 30");
    assertEquals(items, level.low());
  }

  @Test
  void shouldSelectMiddleCustomerByLastName() throws SQLException {
    String named = "UPDATE customer SET c_last = 'BARBARBAR' WHERE c_w_id = 1 AND c_d_id = 1 AND ";
    database.change(named + "c_id <= 4");
    database.change("UPDATE customer SET c_last = 'BARBARBAR' WHERE c_id = 1");
    database.change("UPDATE customer SET c_first = 'D' || c_id WHERE c_w_id = 1 AND c_d_id = 1");
    TpccRandom oneName = new TpccRandom(1, NuRandConstants.of(1));
    CustomerInput input =
        new CustomerInput(
            oneName,
            new Home(1, 1, 1, new org.nelumbo.tpcc.data.Population("one", 1, 1, 1), false));
    CustomerChoice choice = new CustomerChoice(session, input);
    int byName = 0;
    for (int i = 0; i < 1_000; i++) {
      input.draw(1, 1);
      int number = choice.number();
      assertTrue(number == 2 || number == 1, "by name the second of four, by number the only one");
      byName += number == 2 ? 1 : 0;
    }
    assertEquals(600, byName, 60);
  }

  private int run(TerminalTransaction transaction, int times) throws SQLException {
    int committed = 0;
    for (int i = 0; i < times; i++) {
      transaction.draw();
      committed += transaction.execute() == Outcome.COMMITTED ? 1 : 0;
    }
    return committed;
  }

  private void assertConsistent() throws SQLException {
    var results = new ConsistencyConditions(database.database(), TINY, false).checkAfterRun();
    assertEquals(11, results.size());
    assertTrue(results.stream().allMatch(CheckResult::passed), results::toString);
  }
}
