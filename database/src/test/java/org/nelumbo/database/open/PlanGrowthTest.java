package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.StatementExecution;

/** Plans adapt to the sizes of tables. */
@Timeout(180)
class PlanGrowthTest {
  private static final String CAPACITY =
      "SELECT bytes FROM sys.memory WHERE kind = 'POOL CAPACITY'";
  private static final String JOIN =
      "EXPLAIN PLAN FOR SELECT COUNT(*) FROM one JOIN two ON one.v = two.v";

  private LocalDatabase database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(256L << 20));
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE one (id INTEGER PRIMARY KEY, v INTEGER)",
        "CREATE TABLE two (id INTEGER PRIMARY KEY, v INTEGER)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Fills a table by doubling it 14 times, to about 16,000 rows. */
  private void grow(String table) {
    sql.run("INSERT INTO " + table + " VALUES (0, 0)");
    for (int rows = 1; rows < 1 << 14; rows *= 2) {
      sql.run("INSERT INTO " + table + " SELECT id + " + rows + ", id FROM " + table);
    }
  }

  private static List<String> scans(List<String> plan) {
    return plan.stream().map(String::strip).filter(line -> line.contains("Scan(")).toList();
  }

  @Test
  void shouldBuildHashTableFromSmallerSide() {
    List<String> before = scans(sql.query(JOIN));
    grow(before.getLast().contains("ONE") ? "one" : "two");
    sql.run("ANALYZE TABLE one");
    List<String> after = scans(sql.query(JOIN));
    assertEquals(before.reversed(), after);
    grow(before.getLast().contains("ONE") ? "two" : "one");
    sql.run("TRUNCATE TABLE " + (before.getLast().contains("ONE") ? "one" : "two"));
    assertEquals(before, scans(sql.query(JOIN)));
  }

  @Test
  void shouldReplanPreparedStatementAfterTableGrowth() {
    long version = database.catalogOfPool().state().version();
    try (StatementExecution prepared = sql.session().newExecution(sql.session().prepare(JOIN))) {
      String first = firstScan(prepared);
      check();
      assertEquals(version, database.catalogOfPool().state().version());
      assertEquals(first, firstScan(prepared));
      grow("one");
      check();
      String afterOne = firstScan(prepared);
      sql.run("TRUNCATE TABLE one");
      grow("two");
      check();
      assertNotEquals(afterOne, firstScan(prepared));
    }
    long settled = database.catalogOfPool().state().version();
    check();
    assertEquals(settled, database.catalogOfPool().state().version());
  }

  /**
   * A plan that remains the best keeps everything: no planning, no new operators, no discarded
   * compiled code.
   */
  @Test
  void shouldKeepPlansThatRemainOptimalAfterGrowth() {
    String point = "SELECT v FROM one WHERE id = 5";
    try (StatementExecution prepared = sql.session().newExecution(sql.session().prepare(point))) {
      prepared.executeQuery();
      CachedStatement first = shared(prepared.plan());
      CachedStatement other = shared(sql.session().prepare("SELECT v FROM two WHERE id = 5"));
      long version = database.catalogOfPool().state().version();
      grow("one");
      check();
      assertNotEquals(version, database.catalogOfPool().state().version());
      prepared.executeQuery();
      assertTrue(prepared.next());
      assertSame(first, shared(prepared.plan()));
      assertSame(first, shared(sql.session().prepare(point)));
      assertSame(other, shared(sql.session().prepare("SELECT v FROM two WHERE id = 7")));
      assertSame(first, shared(new Sql(database).session().prepare(point)));
    }
  }

  private static CachedStatement shared(PreparedStatementPlan plan) {
    return ((CachedStatement) plan).shared();
  }

  @Test
  void shouldPlanAnewAfterASchemaChangeThatFollowsGrowth() {
    String query = "EXPLAIN PLAN FOR SELECT id FROM one WHERE v = 5";
    sql.run("INSERT INTO two VALUES (1, 1)");
    List<String> before = scans(sql.query(query));
    grow("one");
    check();
    assertEquals(before, scans(sql.query(query)));
    sql.run("CREATE INDEX one_by_v ON one (v)");
    assertNotEquals(before, scans(sql.query(query)));
  }

  /**
   * TPC-C reads the last order of a customer: the longer index prefix finds it at once, without
   * reading all orders.
   */
  @Test
  void shouldPreferLongerPrefixAtAnySize() {
    sql.run(
        "CREATE TABLE orders (w INTEGER, d INTEGER, id INTEGER, c INTEGER, PRIMARY KEY (w, d, id))",
        "CREATE INDEX by_customer ON orders (w, d, c, id)",
        "INSERT INTO orders VALUES (1, 1, 0, 0)");
    for (int rows = 1; rows < 1 << 17; rows *= 2) {
      sql.run("INSERT INTO orders SELECT w, d, id + " + rows + ", id FROM orders");
      sql.run("ANALYZE TABLE orders");
      assertEquals(
          List.of("IndexRangeScan(ORDERS.BY_CUSTOMER[W = ?1, D = ?2, C = ?3] DESC HINT 1)"),
          scans(
              sql.query(
                  "EXPLAIN PLAN FOR SELECT id FROM orders WHERE w = ? AND d = ? AND c = ?"
                      + " ORDER BY id DESC FETCH FIRST 1 ROW ONLY",
                  1,
                  1,
                  1)),
          "rows=" + rows);
    }
  }

  @Test
  void shouldPlanAnewWhenMostRowsAreDeleted() {
    grow("one");
    sql.run("INSERT INTO two SELECT id, v FROM one WHERE id < 4000", "ANALYZE TABLE one");
    List<String> before = scans(sql.query(JOIN));
    sql.run("DELETE FROM one WHERE id > 10");
    while (scans(sql.query(JOIN)).equals(before)) { // until garbage collection is complete
      check();
      LockSupport.parkNanos(100_000);
    }
    assertEquals(before.reversed(), scans(sql.query(JOIN)));
  }

  /** A reader of SYS.MEMORY waits for the lock and does not fail. */
  @Test
  void shouldBeWaitedForByTheViewOfMemory() throws Exception {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<?> look = threads.submit(() -> look(looking, seen));
      await(looking);
      Future<List<String>> view = threads.submit(() -> sql.query(CAPACITY));
      for (int polls = 0; !view.isDone() && polls < 50; polls++) {
        LockSupport.parkNanos(1_000_000); // lets it wait for the lock
      }
      seen.countDown();
      assertEquals(List.of((256L << 20) + ""), view.get(60, TimeUnit.SECONDS));
      look.get(60, TimeUnit.SECONDS);
    }
  }

  /** A schema change may itself wait for the transaction that reads the view. */
  @Test
  void shouldNotMakeTheViewOfMemoryWaitForASchemaChange() {
    database.catalogOfPool().changeLock().lock();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<List<String>> view = threads.submit(() -> sql.query(CAPACITY));
      ExecutionException failed = assertThrows(ExecutionException.class, view::get);
      assertEquals(
          ErrorCode.LOCK_NOT_AVAILABLE,
          assertInstanceOf(NelumboException.class, failed.getCause()).code());
    } finally {
      database.catalogOfPool().changeLock().unlock();
    }
  }

  private void look(CountDownLatch looking, CountDownLatch seen) {
    while (looking.getCount() > 0) { // retries while the watch holds the lock
      database
          .planInvalidator()
          .tryWithSchemaLock(
              () -> {
                looking.countDown();
                await(seen);
              });
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void check() {
    database.catalogOfPool().changeLock().lock();
    try {
      database.planInvalidator().check();
    } finally {
      database.catalogOfPool().changeLock().unlock();
    }
  }

  private static String firstScan(StatementExecution prepared) {
    prepared.executeQuery();
    String found = null;
    while (prepared.next()) {
      String line = (String) prepared.objectAt(0);
      found = found == null && line.contains("Scan(") ? line.strip() : found;
    }
    return found;
  }
}
