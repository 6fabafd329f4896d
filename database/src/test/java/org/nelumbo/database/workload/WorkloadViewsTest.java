package org.nelumbo.database.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.database.TestPool;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.SessionOptions;

/** SYS views on the statements of a database. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkloadViewsTest {
  private final TestPool pool = new TestPool(TestPool.Kind.NODE, 64L << 20);
  private final Database database = pool.database();
  private final Sql sql = new Sql(database);

  @AfterEach
  void close() {
    pool.close();
  }

  private long measured(Sql session, String kind) {
    return Long.parseLong(
        session.query("SELECT measured FROM sys.latencies WHERE kind = '" + kind + "'").getFirst());
  }

  @Test
  void shouldTimeEachStatementOnMemoryNodes() {
    sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 10)");
    for (int i = 0; i < 5; i++) {
      sql.query("SELECT v FROM t WHERE id = 1");
      sql.run("UPDATE t SET v = v + 1 WHERE id = 1");
    }
    assertEquals(1, measured(sql, "DDL"));
    assertEquals(1, measured(sql, "INSERT"));
    assertEquals(5, measured(sql, "UPDATE"));
    assertTrue(measured(sql, "QUERY") >= 5);
    assertTrue(measured(sql, "ROUND TRIP") >= 10);
    assertEquals(
        List.of("true"),
        sql.query(
            "SELECT p50_micros <= p99_micros AND p999_micros <= max_micros FROM sys.latencies"
                + " WHERE kind = 'UPDATE'"));
  }

  @Test
  void shouldCountAbortsByTableAndReason() {
    sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 10)");
    SessionOptions impatient =
        SessionOptions.defaults()
            .withConflictPolicy(ConflictPolicy.NO_WAIT)
            .withSlowQuery(Duration.ofMillis(1));
    try (Sql one = Sql.transactions(database);
        Sql two = new Sql(database.connect(impatient))) {
      one.run("UPDATE t SET v = 0 WHERE id = 1");
      two.session().setAutoCommit(false);
      assertThrows(NelumboException.class, () -> two.run("UPDATE t SET v = 1 WHERE id = 1"));
      one.session().rollback();
      two.session().rollback();
    }
    assertEquals(List.of("PUBLIC.T LOCK 1 1"), sql.query("SELECT * FROM sys.aborts"));
    assertEquals(List.of("0 0"), sql.query("SELECT lock_waits, lock_wait_micros FROM sys.waits"));
  }

  @Test
  void shouldReportAgeOfOldestSnapshot() {
    sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
    try (Sql reader = Sql.transactions(database)) {
      reader.session().setReadOnly(true);
      reader.query("SELECT * FROM t");
      List<String> ages;
      do {
        ages = sql.query("SELECT oldest_snapshot_millis >= 20 FROM sys.waits");
      } while (!ages.equals(List.of("true")));
      reader.session().commit();
      do {
        ages = sql.query("SELECT oldest_snapshot_millis < 20 FROM sys.waits");
      } while (!ages.equals(List.of("true")));
    }
  }
}
