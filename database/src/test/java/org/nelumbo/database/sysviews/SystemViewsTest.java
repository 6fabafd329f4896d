package org.nelumbo.database.sysviews;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.StatementExecution;

@Timeout(120)
class SystemViewsTest {
  private Database database;
  private Sql sql;
  private Sql other;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    other = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
    other.session().setAutoCommit(false);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static final String OTHERS =
      " WHERE session_id <> (SELECT MIN(session_id) FROM sys.sessions)";

  @Test
  void shouldShowTransactions() {
    String query =
        "SELECT state, isolation, read_only, rows_written, locks_held FROM sys.transactions";
    assertEquals(List.of(), sql.query(query + OTHERS));
    other.run("UPDATE t SET v = 0 WHERE id < 3");
    List<String> rows = sql.query(query + OTHERS);
    assertEquals(1, rows.size());
    assertTrue(rows.getFirst().startsWith("ACTIVE SERIALIZABLE false 2 "), rows::toString);
    other.session().rollback();
    assertEquals(List.of(), sql.query(query + OTHERS));
  }

  @Test
  void shouldShowLocksOfRows() {
    other.run("UPDATE t SET v = 0 WHERE id = 2");
    String query = "SELECT lock_mode, granted, table_name FROM sys.locks WHERE lock_kind = 'ROW'";
    assertEquals(
        List.of("WRITE true T"), sql.query(query + " AND session_id = " + other.session().id()));
    other.session().commit();
    assertEquals(List.of(), sql.query("SELECT * FROM sys.locks" + OTHERS));
  }

  @Test
  void shouldShowLockWaitersAndHolders() throws InterruptedException {
    Sql older = other; // connected first: older within one tick of the clock
    try (Sql younger = new Sql(database)) {
      older.session().setLockTimeout(Duration.ofMinutes(10));
      older.query("SELECT v FROM t WHERE id = 3");
      younger.session().setAutoCommit(false);
      younger.run("UPDATE t SET v = 0 WHERE id = 2");
      Thread waiter =
          Thread.ofPlatform().start(() -> older.run("UPDATE t SET v = v + 1 WHERE id = 2"));
      String blocked =
          "SELECT w.session_id, h.session_id FROM sys.locks AS w"
              + " JOIN sys.locks AS h ON h.lock_key = w.lock_key"
              + " WHERE h.granted AND NOT w.granted";
      List<String> expected = List.of(older.session().id() + " " + younger.session().id());
      while (!sql.query(blocked).equals(expected)) {
        assertTrue(waiter.isAlive());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      younger.session().commit();
      waiter.join();
      older.session().commit();
    }
    assertEquals(List.of("1"), sql.query("SELECT v FROM t WHERE id = 2"));
  }

  @Test
  void shouldShowStatementWhileNextRowIsComputed() throws InterruptedException {
    String tables =
        IntStream.range(0, 22).mapToObj(i -> "t AS t" + i).collect(Collectors.joining(", "));
    String sums =
        IntStream.range(0, 22).mapToObj(i -> "t" + i + ".id").collect(Collectors.joining(" + "));
    String endless = "SELECT t0.v FROM " + tables + " WHERE " + sums + " NOT BETWEEN 23 AND 1000";
    String query = "SELECT statement FROM sys.sessions WHERE session_id = " + other.session().id();
    try (StatementExecution execution =
        other.session().newExecution(other.session().prepare(endless))) {
      execution.executeQuery();
      assertTrue(execution.next());
      assertEquals(List.of("null"), sql.query(query), "idle between two rows");
      AtomicReference<NelumboException> end = new AtomicReference<>();
      Thread reader =
          Thread.ofPlatform()
              .start(() -> end.set(assertThrows(NelumboException.class, execution::next)));
      while (!sql.query(query).equals(List.of(endless))) {
        assertTrue(reader.isAlive());
      }
      other.session().cancel();
      reader.join();
      assertEquals(ErrorCode.CANCELLED, end.get().code());
    }
    assertEquals(List.of("null"), sql.query(query));
  }

  @Test
  void shouldShowStatements() {
    sql.query("SELECT v FROM t WHERE id = 1");
    String query =
        "SELECT kind, schema_name, isolation, \"CURRENT\", running FROM sys.statements WHERE"
            + " statement = ";
    assertEquals(
        List.of("QUERY PUBLIC SERIALIZABLE true 0"),
        sql.query(query + "'SELECT v FROM t WHERE id = ?'"));
    sql.run("CREATE TABLE u (id INTEGER PRIMARY KEY)");
    assertEquals(
        List.of("QUERY PUBLIC SERIALIZABLE false 0"),
        sql.query(query + "'SELECT v FROM t WHERE id = ?'"));
  }

  @Test
  void shouldAddUpPlanTimesOfStatements() {
    String totals =
        "SELECT plans, plan_micros > 0 FROM sys.statements WHERE statement ="
            + " 'SELECT v FROM t WHERE id > ?'";
    sql.query("SELECT v FROM t WHERE id > 1");
    sql.query("SELECT v FROM t WHERE id > 2");
    assertEquals(List.of("1 true"), sql.query(totals));
    sql.run("CREATE INDEX t_v ON t (v)");
    sql.query("SELECT v FROM t WHERE id > 1");
    assertEquals(List.of("2 true"), sql.query(totals));
  }

  @Test
  void shouldShowMemory() {
    sql.run("CREATE INDEX t_v ON t (v)");
    assertEquals(
        List.of("HASH INDEX null 3", "INDEX T_V 3", "PRIMARY INDEX T_PKEY 3", "ROWS null 3"),
        sql.query(
            "SELECT kind, index_name, entries FROM sys.memory WHERE table_name = 'T' AND bytes > 0"
                + " ORDER BY kind"));
    assertEquals(
        List.of("true true"),
        sql.query(
            "SELECT c.bytes >= t.bytes, t.bytes > l.bytes FROM sys.memory AS c, sys.memory AS t,"
                + " sys.memory AS l WHERE c.kind = 'POOL CAPACITY' AND t.kind = 'POOL TAKEN'"
                + " AND l.kind = 'POOL LIVE'"));
    assertEquals(
        List.of((256L << 20) + ""),
        sql.query("SELECT bytes FROM sys.memory WHERE kind = 'POOL CAPACITY'"));
  }

  @Test
  void shouldShowThatAllShardsAreOnTheOneNodeOfAnEmbeddedPool() {
    assertEquals(
        List.of("4096 4095 0 0"),
        sql.query(
            "SELECT COUNT(*), MAX(shard), MAX(logical_node), MAX(primary_node) FROM"
                + " sys.partitions"));
    assertEquals(
        List.of("0 true"),
        sql.query("SELECT node, taken_bytes > 0 AND taken_bytes < bytes FROM sys.memory_nodes"));
  }

  @Test
  void shouldShowFabricCountersOfSessionsThatCount() {
    assertEquals(List.of(), sql.query("SELECT * FROM sys.fabric"));
    sql.query("EXPLAIN ANALYZE SELECT * FROM t WHERE id = 1");
    assertEquals(
        List.of("true true"),
        sql.query(
            "SELECT round_trips > 2, bytes_in > 0 FROM sys.fabric WHERE session_id = "
                + sql.session().id()));
  }
}
