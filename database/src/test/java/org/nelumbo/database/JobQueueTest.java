package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.database.Failures.assertFails;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.SessionOptions;

/** SKIP LOCKED and NOWAIT: several sessions work off a table of jobs. */
@Timeout(60)
class JobQueueTest {
  private static final int JOBS = 60;
  private static final int WORKERS = 4;

  private static final String NEXT =
      "SELECT id FROM job j WHERE state = 'new' ORDER BY priority, id LIMIT 1 FOR UPDATE OF j"
          + " SKIP LOCKED";

  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE job (id INTEGER PRIMARY KEY, priority INTEGER, state VARCHAR(5))",
        "CREATE TABLE done (id INTEGER PRIMARY KEY)");
  }

  @AfterEach
  void close() {
    sql.close();
    database.close();
  }

  private void addJobs(int count) {
    sql.update("INSERT INTO job VALUES " + Sql.rows(0, count, i -> i + ", " + i % 3 + ", 'new'"));
  }

  private Sql worker(Isolation isolation) {
    Sql worker = new Sql(database.connect(SessionOptions.defaults().withIsolation(isolation)));
    worker.session().setAutoCommit(false);
    return worker;
  }

  /** Proves that each job is done by exactly one of several sessions. */
  @ParameterizedTest
  @EnumSource
  void shouldDoEachJobOnce(Isolation isolation) throws Exception {
    sql.run("CREATE INDEX by_state ON job (state, priority)");
    addJobs(JOBS);
    List<Future<List<String>>> workers = new ArrayList<>();
    List<String> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(threads.submit(() -> work(isolation)));
      }
      for (Future<List<String>> each : workers) {
        done.addAll(each.get(60, TimeUnit.SECONDS));
      }
    }
    assertEquals(JOBS, done.size());
    assertEquals(JOBS, new HashSet<>(done).size());
    assertEquals(List.of("0"), sql.query("SELECT COUNT(*) FROM job WHERE state = 'new'"));
    assertEquals(List.of("" + JOBS), sql.query("SELECT COUNT(*) FROM done"));
  }

  private List<String> work(Isolation isolation) {
    List<String> done = new ArrayList<>();
    try (Sql worker = worker(isolation)) {
      boolean anyLeft = true;
      while (anyLeft) {
        try {
          List<String> job = worker.query(NEXT);
          for (String id : job) {
            worker.run("UPDATE job SET state = 'done' WHERE id = " + id);
            worker.run("INSERT INTO done VALUES (" + id + ")");
          }
          worker.session().commit();
          done.addAll(job);
          anyLeft = !job.isEmpty() || isAnyLeft(worker);
        } catch (NelumboException e) {
          assertEquals(ErrorCode.SERIALIZATION_FAILURE, e.code());
          worker.session().rollback();
        }
      }
    }
    return done;
  }

  static Stream<Arguments> statements() {
    return Stream.of(
            "UPDATE job SET state = 'done' WHERE id = (%s) RETURNING id",
            "UPDATE job SET state = 'done' WHERE id IN (%s) RETURNING id",
            "WITH next AS (%s) UPDATE job SET state = 'done' FROM next n WHERE job.id = n.id"
                + " RETURNING job.id",
            "DELETE FROM job WHERE id = (%s) RETURNING id")
        .flatMap(
            form -> Stream.of(Isolation.values()).map(isolation -> Arguments.of(form, isolation)));
  }

  /** One statement selects and takes the next job, the usual form of such queues. */
  @ParameterizedTest
  @MethodSource("statements")
  void shouldClaimEachJobExactlyOnce(String form, Isolation isolation) throws Exception {
    addJobs(JOBS);
    String take = form.formatted(NEXT);
    List<String> taken = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(threads.submit(() -> take(take, isolation, taken)));
      }
      for (Future<?> each : workers) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    assertEquals(JOBS, taken.size());
    assertEquals(JOBS, new HashSet<>(taken).size());
  }

  private void take(String take, Isolation isolation, List<String> taken) {
    try (Sql worker = worker(isolation)) {
      while (taken.size() < JOBS) {
        try {
          List<String> ids = worker.query(take);
          worker.session().commit();
          taken.addAll(ids);
        } catch (NelumboException e) {
          assertEquals(ErrorCode.SERIALIZATION_FAILURE, e.code());
          worker.session().rollback();
        }
      }
    }
  }

  /**
   * SKIP LOCKED and NOWAIT affect only the rows that the statement locks. Other rows of the same
   * statement are read as usual.
   */
  @ParameterizedTest
  @EnumSource
  void shouldApplySkipLockedAndNowaitWithinSubqueries(Isolation isolation) {
    addJobs(4);
    sql.run("INSERT INTO done VALUES (0), (1), (2), (3)");
    try (Sql a = worker(isolation);
        Sql b = worker(isolation)) {
      assertEquals(
          List.of("0"),
          a.query("UPDATE job SET state = 'x' WHERE id = (" + NEXT + ") RETURNING id"));
      assertEquals(
          List.of("3 3"),
          b.query(
              "SELECT x.id, d.id FROM (" + NEXT + ") x JOIN done d ON d.id = x.id ORDER BY x.id"));
      assertEquals(
          List.of("1", "2"),
          sql.query(
              "SELECT id FROM done WHERE id IN (SELECT j.id FROM job j, done d WHERE d.id = j.id"
                  + " FOR UPDATE OF j SKIP LOCKED) ORDER BY id"));
      assertFails(
          ErrorCode.LOCK_NOT_AVAILABLE,
          () -> sql.query("SELECT * FROM (SELECT * FROM job FOR UPDATE NOWAIT) x"));
    }
  }

  private static boolean isAnyLeft(Sql worker) {
    boolean any = !worker.query("SELECT id FROM job WHERE state = 'new' LIMIT 1").isEmpty();
    worker.session().commit();
    return any;
  }

  @ParameterizedTest
  @EnumSource
  void shouldLockNoMoreThanItReturns(Isolation isolation) {
    addJobs(9);
    try (Sql a = worker(isolation);
        Sql b = worker(isolation)) {
      assertEquals(List.of("0"), a.query(NEXT));
      assertEquals(List.of("3"), b.query(NEXT));
      assertEquals(List.of("6"), a.query(NEXT.replace("LIMIT 1", "LIMIT 1 OFFSET 1")));
      assertEquals(
          List.of("1", "4"),
          b.query(NEXT.replace("LIMIT 1", "LIMIT 3").replace("3", "2 OFFSET 1")));
      a.run("UPDATE job SET state = 'done' WHERE id IN (0, 6)");
      a.session().commit();
      assertEquals(
          List.of("7", "2", "5", "8"),
          a.query(
              "SELECT id FROM job WHERE state = 'new' ORDER BY priority, id FOR UPDATE SKIP"
                  + " LOCKED"));
      assertEquals(List.of(), sql.query(NEXT));
      a.session().rollback();
      b.session().rollback();
      assertEquals(7, sql.query(NEXT.replace("LIMIT 1", "")).size());
    }
  }

  @Test
  void shouldSkipRowsOfJoins() {
    addJobs(4);
    sql.run("INSERT INTO done VALUES (1), (2)");
    String query =
        "SELECT j.id FROM job j JOIN done d ON d.id = j.id ORDER BY j.id FOR UPDATE OF j SKIP"
            + " LOCKED";
    try (Sql a = worker(Isolation.SERIALIZABLE);
        Sql b = worker(Isolation.SERIALIZABLE)) {
      a.run("DELETE FROM job WHERE id = 1");
      b.query("SELECT * FROM done WHERE id = 2 FOR UPDATE");
      assertEquals(List.of("2"), sql.query(query));
      assertEquals(List.of(), sql.query(query.replace(" OF j", "")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldNotWait(Isolation isolation) {
    addJobs(2);
    try (Sql a = worker(isolation);
        Sql b = worker(isolation)) {
      assertEquals(List.of("1"), a.query("SELECT id FROM job WHERE id = 1 FOR UPDATE"));
      assertEquals(List.of("0"), b.query("SELECT id FROM job WHERE id = 0 FOR UPDATE NOWAIT"));
      assertFails(
          ErrorCode.LOCK_NOT_AVAILABLE,
          () -> b.query("SELECT id FROM job WHERE id = 1 FOR UPDATE NOWAIT"));
      b.session().rollback();
      assertFails(
          ErrorCode.LOCK_NOT_AVAILABLE, () -> sql.query("SELECT * FROM job FOR UPDATE NOWAIT"));
      a.session().rollback();
      assertEquals(List.of("0", "1"), sql.query("SELECT id FROM job FOR UPDATE NOWAIT"));
    }
  }

  @Test
  void shouldRejectLockClauseWithoutLockableRows() {
    for (String query :
        List.of(
            "SELECT COUNT(*) FROM job",
            "SELECT DISTINCT state FROM job",
            "SELECT id FROM job UNION ALL SELECT id FROM done",
            "SELECT j.id FROM job j LEFT JOIN done d ON d.id = j.id",
            "SELECT ROW_NUMBER() OVER (ORDER BY id) FROM job",
            "VALUES (1)")) {
      assertFails(ErrorCode.UNSUPPORTED, () -> sql.query(query + " FOR UPDATE SKIP LOCKED"));
    }
    sql.query("SELECT j.id FROM job j LEFT JOIN done d ON d.id = j.id FOR UPDATE OF j SKIP LOCKED");
    assertFails(ErrorCode.NO_SUCH_TABLE, () -> sql.query("SELECT id FROM job j FOR UPDATE OF job"));
    sql.run("CREATE VIEW v AS SELECT * FROM job");
    for (String table : List.of("v", "c", "information_schema.tables")) {
      String query =
          "WITH c AS (TABLE job) SELECT * FROM (SELECT * FROM " + table + " FOR SHARE) x";
      assertFails(ErrorCode.UNSUPPORTED, () -> sql.query(query));
    }
  }
}
