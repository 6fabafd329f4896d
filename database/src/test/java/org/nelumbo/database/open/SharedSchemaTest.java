package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.SchemaAgreement;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.SessionOptions;

/** Schema changes of one compute node of a shared pool, as other compute nodes see them. */
@Timeout(60)
class SharedSchemaTest {
  private final TestComputeNodes nodes = new TestComputeNodes();
  private final LocalDatabase one = nodes.join();
  private final LocalDatabase other = nodes.join();
  private final Sql here = new Sql(one);
  private final Sql there = new Sql(other);

  @AfterEach
  void close() {
    here.close();
    there.close();
    nodes.close();
  }

  @Test
  void shouldSeeSchemaChangesOfOtherComputeNodes() {
    here.run(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10))",
        "CREATE SCHEMA x",
        "CREATE SEQUENCE x.s START WITH 5",
        "CREATE VIEW v AS SELECT a FROM t");
    there.run("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
    assertEquals(List.of("1", "2"), here.query("SELECT a FROM v ORDER BY a"));
    there.run("ALTER TABLE t ADD COLUMN c INTEGER DEFAULT 7", "CREATE INDEX t_b ON t (b)");
    assertEquals(List.of("2 two 7"), here.query("SELECT * FROM t WHERE b = 'two'"));
    here.run("INSERT INTO t VALUES (3, 'three', 8)", "DROP INDEX t_b");
    here.run("ALTER TABLE t RENAME COLUMN c TO d", "COMMENT ON TABLE t IS 'of others'");
    assertEquals(List.of("3 8"), there.query("SELECT a, d FROM t WHERE b = 'three'"));
    assertEquals(
        List.of("of others"), there.query("SELECT remarks FROM SYS.TABLES WHERE table_name = 'T'"));
    there.run("TRUNCATE TABLE t");
    assertEquals(List.of(), here.query("SELECT * FROM t"));
    here.run("INSERT INTO t VALUES (1, 'again', 0)");
    there.run("DROP VIEW v", "DROP TABLE t", "DROP SEQUENCE x.s", "DROP SCHEMA x");
    assertEquals(
        ErrorCode.NO_SUCH_TABLE,
        assertThrows(NelumboException.class, () -> here.query("SELECT * FROM t")).code());
    here.run(
        "CREATE SCHEMA x", "CREATE TABLE t (k INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (9)");
    assertEquals(List.of("9"), there.query("SELECT k FROM t"));
  }

  @Test
  void shouldLoadSchemaOfExistingMembersOnJoin() {
    here.run(
        "CREATE TABLE p (a INTEGER PRIMARY KEY)",
        "CREATE TABLE t (a INTEGER REFERENCES p, b INTEGER)",
        "CREATE INDEX t_b ON t (b)",
        "INSERT INTO p VALUES (1)",
        "INSERT INTO t VALUES (1, 2), (1, 3)");
    try (Sql third = new Sql(nodes.join())) {
      assertEquals(List.of("3"), third.query("SELECT b FROM t WHERE b > 2"));
      third.run("INSERT INTO t VALUES (1, 4)", "CREATE TABLE mine (a INTEGER)");
      assertThrows(NelumboException.class, () -> third.run("DELETE FROM p"));
    }
    assertEquals(List.of("2", "3", "4"), there.query("SELECT b FROM t ORDER BY b"));
    assertEquals(List.of(), here.query("SELECT * FROM mine"));
  }

  @Test
  void shouldAssignUniqueNumbersAcrossComputeNodes() {
    here.run(
        "CREATE TABLE t (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a INTEGER)",
        "CREATE TABLE keyless (a INTEGER)",
        "CREATE SEQUENCE s");
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      for (Sql each : List.of(here, there)) {
        each.run("INSERT INTO t (a) VALUES (1), (2)", "INSERT INTO keyless VALUES (1), (2)");
        drawn.addAll(each.query("VALUES (NEXT VALUE FOR s)"));
      }
    }
    assertEquals(List.of("40"), there.query("SELECT COUNT(DISTINCT id) FROM t"));
    assertEquals(List.of("40"), there.query("SELECT COUNT(*) FROM keyless"));
    assertEquals(20, new HashSet<>(drawn).size());
  }

  @Test
  void shouldRestartNumbersEverywhere() {
    here.run(
        "CREATE TABLE t (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a INTEGER)",
        "CREATE SEQUENCE s");
    there.run("INSERT INTO t (a) VALUES (1)");
    assertEquals(List.of("1"), there.query("VALUES (NEXT VALUE FOR s)"));
    here.run(
        "ALTER SEQUENCE s RESTART WITH 100000", "ALTER TABLE t ALTER COLUMN id RESTART WITH 500");
    there.run("INSERT INTO t (a) VALUES (2)");
    assertEquals(List.of("1", "500"), there.query("SELECT id FROM t ORDER BY id"));
    assertEquals(List.of("100000"), there.query("VALUES (NEXT VALUE FOR s)"));
    there.run("ALTER SEQUENCE s INCREMENT BY -1");
    assertEquals(List.of("99999"), here.query("VALUES (NEXT VALUE FOR s)"));
    here.run("TRUNCATE TABLE t RESTART IDENTITY");
    there.run("INSERT INTO t (a) VALUES (3)");
    assertEquals(List.of("1"), here.query("SELECT id FROM t"));
    // SETVAL sets the next number to be allocated; another node first uses the numbers it has
    // cached.
    assertEquals(List.of("200000"), here.query("VALUES (SETVAL('s', 200000))"));
    assertEquals(List.of("199999"), here.query("VALUES (NEXT VALUE FOR s)"));
  }

  /**
   * An idle transaction holds locks of the shards of a member that leaves. The member does not wait
   * for it.
   */
  @Test
  void shouldAbortIdleTransactionThatBlocksLeavingMember() {
    here.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)");
    for (int i = 0; i < 40; i++) {
      here.run("INSERT INTO t VALUES (" + i + ", 0)"); // in shards of both
    }
    try (Sql idle = Sql.transactions(one)) {
      idle.run("UPDATE t SET b = 1", "INSERT INTO t VALUES (100, 1)");
      there.close();
      other.close(); // moves its shards to the first member
      NelumboException refused =
          assertThrows(NelumboException.class, () -> idle.run("UPDATE t SET b = 2"));
      assertEquals(ErrorCode.TRANSACTION_FAILED, refused.code());
      assertTrue(refused.getMessage().contains("40001"), refused.getMessage());
      assertTrue(refused.getMessage().contains("was idle"), refused.getMessage());
      idle.session().rollback();
      idle.run("UPDATE t SET b = 3");
      idle.session().commit();
    }
    assertEquals(List.of("40 3 3"), here.query("SELECT COUNT(*), MIN(b), MAX(b) FROM t"));
  }

  @Test
  void shouldWaitForTransactionsOfOtherComputeNodes() {
    here.run("CREATE TABLE t (a INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1)");
    try (Sql hasty =
            new Sql(
                one.connect(SessionOptions.defaults().withLockTimeout(Duration.ofMillis(200))));
        Sql using = Sql.transactions(other)) {
      using.run("UPDATE t SET a = 2");
      NelumboException refused =
          assertThrows(
              NelumboException.class, () -> hasty.run("ALTER TABLE t ADD COLUMN b INTEGER"));
      assertEquals(ErrorCode.LOCK_NOT_AVAILABLE, refused.code());
      assertTrue(refused.getMessage().contains("PUBLIC.T"), refused.getMessage());
      using.run("INSERT INTO t VALUES (7)"); // the table is open again
      using.session().commit();
    }
    there.run("DELETE FROM t WHERE a = 8");
    here.run("ALTER TABLE t ADD COLUMN b INTEGER");
    assertEquals(List.of("2 null", "7 null"), there.query("SELECT * FROM t ORDER BY a"));
  }

  @Test
  void shouldRejectOldSnapshotsAfterRemoteSchemaChange() {
    here.run("CREATE TABLE t (a INTEGER PRIMARY KEY)", "CREATE TABLE u (a INTEGER PRIMARY KEY)");
    here.run("INSERT INTO t VALUES (1)", "INSERT INTO u VALUES (1)");
    try (Sql old = Sql.transactions(other)) {
      old.session().setIsolation(Isolation.SNAPSHOT);
      assertEquals(List.of("1"), old.query("SELECT * FROM u"));
      here.run("ALTER TABLE t ADD COLUMN b INTEGER");
      assertEquals(
          ErrorCode.SERIALIZATION_FAILURE,
          assertThrows(NelumboException.class, () -> old.query("SELECT * FROM t")).code());
      old.session().rollback();
      assertEquals(List.of("1 null"), old.query("SELECT * FROM t"));
    }
  }

  /** The holder of the table's lock does not wait for a member that joined later. */
  @Test
  void shouldJoinWithTablesClosedThatAreLockedJustThen() {
    here.run("CREATE TABLE t (a INTEGER PRIMARY KEY)");
    CountDownLatch late = new CountDownLatch(1);
    SchemaAgreement agreement = nodes.agreement();
    agreement.begin();
    int id = one.catalogOfPool().state().table("PUBLIC", "T").id();
    agreement.change(state -> state.keeping(List.of(id), List.of()));
    LocalDatabase third = nodes.join(delaying("nelumbo-schema", late));
    SessionOptions hasty = SessionOptions.defaults().withLockTimeout(Duration.ofMillis(100));
    try (Sql sql = new Sql(third.connect(hasty))) {
      assertEquals(
          ErrorCode.LOCK_NOT_AVAILABLE,
          assertThrows(NelumboException.class, () -> sql.run("INSERT INTO t VALUES (1)")).code());
    } finally {
      agreement.change(state -> state.ended(0));
      late.countDown();
    }
    try (Sql sql = new Sql(third)) {
      sql.run("INSERT INTO t VALUES (1)");
    }
  }

  /** Returns an environment that delays a thread until a latch opens. */
  private static Environment delaying(String thread, CountDownLatch until) {
    Environment real = new SystemEnvironment();
    return (Environment)
        Proxy.newProxyInstance(
            Environment.class.getClassLoader(),
            new Class<?>[] {Environment.class},
            (_, method, arguments) ->
                method.getName().equals("thread") && arguments[0].equals(thread)
                    ? real.thread(
                        thread,
                        () -> {
                          awaitUninterruptibly(until);
                          ((Runnable) arguments[1]).run();
                        })
                    : method.invoke(real, arguments));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void shouldContinueAfterMemberLeaves() {
    here.run("CREATE TABLE t (a INTEGER PRIMARY KEY)");
    there.close();
    other.close();
    here.run("INSERT INTO t VALUES (1)", "ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 5");
    assertEquals(List.of("1 5"), here.query("SELECT * FROM t"));
    here.run("DROP TABLE t", "CREATE TABLE t (c INTEGER)");
    assertEquals(List.of(), here.query("SELECT c FROM t"));
  }
}
