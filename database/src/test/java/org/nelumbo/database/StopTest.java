package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.session.LocalSession;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.session.StatementExecution;

/**
 * Proves that every operator and every expression that may take long stops on request: on a
 * cancellation, a timeout, an interruption, or the end of its session or database.
 */
@Timeout(120)
class StopTest {
  private static final int ROWS = 2_000;

  /** About 10^10 rows, none of which qualifies. */
  private static final String ENDLESS =
      "big a, big b, big c WHERE a.k + b.k + c.k < 0 AND a.k <> b.k + c.k";

  /** An endless statement for each operator, by the name of the operator. */
  private static final Map<String, String> OPERATORS = new LinkedHashMap<>();

  private static final NavigableMap<Long, String> NANOS = new TreeMap<>();

  /** Processor time that the threads of the statements used after the stop request. */
  private static final NavigableMap<Long, String> WORK_NANOS = new TreeMap<>();

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static Database database;

  static {
    OPERATORS.put("IndexRangeScan", "SELECT COUNT(*) FROM " + ENDLESS);
    OPERATORS.put("FullTableScan", "SELECT COUNT(*) FROM heap h, " + ENDLESS);
    OPERATORS.put("PointGet", "SELECT COUNT(*) FROM big p, " + ENDLESS + " AND p.id = 5");
    OPERATORS.put("MultiGet", "SELECT COUNT(*) FROM big p, " + ENDLESS + " AND p.id IN (5, 6, 7)");
    OPERATORS.put("HashJoin", "SELECT a.k FROM " + ENDLESS);
    OPERATORS.put(
        "LookupJoin",
        "SELECT d.s FROM (SELECT a.k k FROM big a, big b, big c) x LEFT JOIN big d ON d.id = x.k"
            + " OFFSET 1000000000000 ROWS FETCH NEXT 1 ROWS ONLY");
    OPERATORS.put(
        "NestedLoopIndexJoin",
        "SELECT d.s FROM (SELECT a.k k FROM big a, big b, big c) x LEFT JOIN big d"
            + " ON d.id > x.k AND d.id < x.k + 3 OFFSET 1000000000000 ROWS FETCH NEXT 1 ROWS ONLY");
    for (String operator : List.of("AdaptiveJoin", "FirstRowsScan")) {
      OPERATORS.put(
          operator,
          "SELECT COUNT(*) FROM (SELECT a.k k FROM sampled a, big b, big c WHERE a.id >= ?) x"
              + " LEFT JOIN sampled d ON d.id = x.k WHERE d.k IS NULL OR d.k = -"
              + operator.length());
    }
    OPERATORS.put("HashAggregate", "SELECT a.k, COUNT(*) FROM big a, big b, big c GROUP BY a.k");
    OPERATORS.put("Distinct", "SELECT DISTINCT a.k FROM big a, big b, big c");
    OPERATORS.put("RowSort", "SELECT a.k FROM big a, big b, big c ORDER BY b.s || c.s, a.k");
    OPERATORS.put("Limit", "SELECT a.k FROM big a, big b, big c OFFSET 4000000000 ROWS");
    OPERATORS.put(
        "RowFilter",
        "SELECT COUNT(*) FROM (SELECT a.k, COUNT(*) n FROM big a, big b, big c GROUP BY a.k) x"
            + " WHERE x.n < 0");
    OPERATORS.put(
        "Projection",
        "SELECT COUNT(*) FROM (SELECT a.k + b.k + c.k x FROM big a LEFT JOIN (SELECT k + 1 k FROM"
            + " big) b ON a.k <> b.k LEFT JOIN big c ON c.k <> a.k) y WHERE x < 0");
    OPERATORS.put(
        "UnionAll",
        "SELECT COUNT(*) FROM (SELECT a.k FROM " + ENDLESS + " UNION ALL SELECT k FROM big) x");
    OPERATORS.put("SetOperation", "SELECT id FROM big EXCEPT SELECT a.k FROM big a, big b, big c");
    OPERATORS.put(
        "ValuesScan", "SELECT COUNT(*) FROM (VALUES 1, 2, 3) v (n), " + ENDLESS + " AND v.n > 0");
    OPERATORS.put("SingleRow", "SELECT COUNT(*) FROM (VALUES 1) v (n), " + ENDLESS);
    OPERATORS.put(
        "SeriesScan",
        "SELECT COUNT(*) FROM GENERATE_SERIES(1, 1000000000000000) g (n) WHERE n < 0");
    OPERATORS.put(
        "Spool", "INSERT INTO big SELECT a.id + 100000, a.k, a.s FROM big a, big b, big c");
    OPERATORS.put("Insert", "INSERT INTO copy SELECT a.id + 100000, a.k FROM " + ENDLESS);
    OPERATORS.put(
        "Update", "UPDATE copy SET k = 1 WHERE k < (SELECT COUNT(*) FROM " + ENDLESS + ")");
    OPERATORS.put("Delete", "DELETE FROM copy WHERE k < (SELECT COUNT(*) FROM " + ENDLESS + ")");
    OPERATORS.put(
        "Merge",
        "MERGE INTO copy USING (SELECT a.id x FROM "
            + ENDLESS
            + ") s ON copy.id = s.x WHEN MATCHED THEN DELETE");
    OPERATORS.put(
        "Window",
        "SELECT COUNT(*) FROM (SELECT RANK() OVER (ORDER BY a.k) r FROM "
            + ENDLESS
            + ") x WHERE r < 0");
    for (String operator : List.of("RecursiveUnion", "WorkingTableScan")) {
      OPERATORS.put(
          operator,
          "WITH RECURSIVE r (n) AS (VALUES (1) UNION ALL SELECT n FROM r WHERE n > "
              + operator.length() / 100
              + ") SELECT COUNT(*) FROM r");
    }
    for (String operator : List.of("SharedQueries", "SharedQueryScan")) {
      OPERATORS.put(
          operator,
          "WITH r AS MATERIALIZED (SELECT a.k FROM " + ENDLESS + ") SELECT COUNT(*) FROM r");
    }
    OPERATORS.put("SkipLocked", "SELECT a.k FROM " + ENDLESS + " FOR UPDATE SKIP LOCKED");
    OPERATORS.put("SystemViewScan", "SELECT COUNT(*) FROM sys.tables t, " + ENDLESS);
  }

  /** Operators of DDL, and operators that only wrap others. */
  private static final Set<String> ELSEWHERE =
      Set.of("BulkInsert", "InstrumentedOperator", "NoWait");

  @BeforeAll
  static void fill() {
    database = Sql.memory();
    try (Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE big (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, s VARCHAR(40))",
          "CREATE TABLE copy (id INTEGER PRIMARY KEY, k INTEGER)",
          "CREATE TABLE sampled (id INTEGER PRIMARY KEY, k INTEGER)",
          "CREATE TABLE heap (id INTEGER PRIMARY KEY, k INTEGER) WITH (ordered = false)");
      String values = Sql.rows(0, ROWS, i -> i + ", " + i + ", 'text " + i + "'");
      sql.run("INSERT INTO big VALUES " + values);
      sql.run("INSERT INTO copy SELECT id, k FROM big", "INSERT INTO heap SELECT id, k FROM big");
      sql.run("INSERT INTO sampled SELECT id, k FROM big", "ANALYZE TABLE sampled");
    }
  }

  @AfterAll
  static void close() {
    database.close();
    print("time", NANOS);
    print("work", WORK_NANOS);
  }

  private static void print(String what, NavigableMap<Long, String> nanos) {
    List<Long> sorted = new ArrayList<>(nanos.keySet());
    int last = sorted.size() - 1;
    System.out.printf(
        "stops=%d %s median=%d us p99=%d us p99.9=%d us longest=%d us of %s%n",
        sorted.size(),
        what,
        TimeUnit.NANOSECONDS.toMicros(sorted.get(last / 2)),
        TimeUnit.NANOSECONDS.toMicros(sorted.get((int) (last * 0.99))),
        TimeUnit.NANOSECONDS.toMicros(sorted.get((int) (last * 0.999))),
        TimeUnit.NANOSECONDS.toMicros(sorted.get(last)),
        nanos.lastEntry().getValue());
  }

  static Stream<String> statements() {
    return OPERATORS.values().stream();
  }

  /** Returns expressions over a long text, which is the parameter. */
  static Stream<String> expressions() {
    return Stream.of(
            "? LIKE '%' || RTRIM(LEFT(a.s, 0)) || '_____b_____%'",
            "POSITION(UPPER(a.s) IN ?) > 0",
            "REPLACE(REPLACE(REPLACE(?, 'a', 'b'), 'b', a.s), 'c', 'd') = 'x'",
            "SUBSTRING(SUBSTRING(SUBSTRING(?, 2), 2), 2) = a.s",
            "UPPER(LOWER(INITCAP(?))) = a.s",
            "TRIM(? || a.s || ' ') = a.s",
            "CHAR_LENGTH(? || a.s) < 0",
            "OCTET_LENGTH(? || a.s) < 0",
            "RIGHT(?, 5) = a.s")
        .map(
            condition ->
                "SELECT COUNT(*) FROM big a, big b WHERE "
                    + condition.replace("?", "CAST(? AS VARCHAR)"));
  }

  @Test
  void shouldHaveStatementForEveryOperator() throws Exception {
    assertEquals(new TreeSet<>(OPERATORS.keySet()), operators());
    try (Sql sql = new Sql(database)) {
      for (Map.Entry<String, String> each : OPERATORS.entrySet()) {
        List<String> found = new ArrayList<>();
        Plan plan = ((CachedStatement) sql.session().prepare(each.getValue())).physical().plan();
        Field root = Plan.class.getDeclaredField("root");
        root.setAccessible(true);
        collect((Operator) root.get(plan), found);
        assertTrue(found.contains(each.getKey()), each.getKey() + " is not in " + found);
      }
    }
  }

  private static void collect(Operator operator, List<String> found) {
    found.add(operator.getClass().getSimpleName());
    operator.children().forEach(child -> collect(child, found));
  }

  /** Returns the names of all operator classes. */
  private static Set<String> operators() throws Exception {
    Set<String> names = new TreeSet<>();
    for (Class<?> module : List.of(Operator.class, PhysicalPlan.class)) {
      for (Class<?> type : classes(module)) {
        boolean concrete = Operator.class.isAssignableFrom(type) && !isAbstract(type);
        if (concrete && !ELSEWHERE.contains(type.getSimpleName())) {
          names.add(type.getSimpleName());
        }
      }
    }
    return names;
  }

  private static boolean isAbstract(Class<?> type) {
    return Modifier.isAbstract(type.getModifiers());
  }

  private static List<Class<?>> classes(Class<?> module)
      throws URISyntaxException, IOException, ClassNotFoundException {
    Path place = Path.of(module.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return classes(module, place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return classes(module, jar.getPath("/"));
    }
  }

  private static List<Class<?>> classes(Class<?> module, Path root)
      throws IOException, ClassNotFoundException {
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String name =
            root.relativize(file).toString().replace('/', '.').replaceFirst(".class$", "");
        if (name.startsWith("org.nelumbo") && !name.endsWith("-info")) {
          found.add(Class.forName(name, false, module.getClassLoader()));
        }
      }
    }
    return found;
  }

  /** Runs a statement in its own thread, and stops it after it has begun. */
  private static void assertStops(String statement, Object[] parameters, Stop stop) {
    assertStops(statement, parameters, stop, 20);
  }

  private static void assertStops(String statement, Object[] parameters, Stop stop, long millis) {
    try (Session session = database.connect(SessionOptions.defaults())) {
      CountDownLatch begun = new CountDownLatch(1);
      Thread[] thread = new Thread[1];
      CompletableFuture<Void> run = new CompletableFuture<>();
      long[] worked = new long[1];
      thread[0] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    begun.countDown();
                    try {
                      run(session, statement, parameters);
                      run.complete(null);
                    } catch (Throwable e) {
                      worked[0] = THREADS.getCurrentThreadCpuTime();
                      run.completeExceptionally(e);
                    }
                  });
      begun.await();
      while (((LocalSession) session).runningSql() == null && !run.isDone()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      TimeUnit.MILLISECONDS.sleep(millis);
      assertFalse(run.isDone(), () -> "has ended by itself: " + outcome(run));
      long workedBefore = THREADS.getThreadCpuTime(thread[0].threadId());
      long start = System.nanoTime();
      stop.stop(session, thread[0]);
      CompletionException end = assertThrows(CompletionException.class, run::join);
      long nanos = System.nanoTime() - start;
      assertTrue(nanos < TimeUnit.SECONDS.toNanos(20), () -> nanos + " ns");
      synchronized (NANOS) {
        NANOS.put(nanos, statement);
        WORK_NANOS.put(worked[0] - workedBefore, statement);
      }
      NelumboException error = (NelumboException) end.getCause();
      assertEquals(ErrorCode.CANCELLED, error.code(), error::getMessage);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String outcome(CompletableFuture<Void> run) {
    return run.handle((result, error) -> String.valueOf(error)).join();
  }

  /** A way to stop a statement. */
  private interface Stop {
    void stop(Session session, Thread thread);
  }

  private static void run(Session session, String statement, Object[] parameters) {
    try (StatementExecution execution = session.newExecution(session.prepare(statement))) {
      for (int i = 0; i < parameters.length; i++) {
        execution.parameters().setObject(i, parameters[i]);
      }
      if (!execution.plan().kind().returnsRows()) {
        execution.executeUpdate();
        return;
      }
      execution.executeQuery();
      while (execution.next()) {
        assertNotNull(execution.plan());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("statements")
  void shouldStopOperatorsOnRequest(String statement) {
    assertStops(statement, parameters(statement), (session, thread) -> session.cancel());
  }

  @ParameterizedTest
  @MethodSource("statements")
  void shouldStopOperatorsAtTheirTimeLimit(String statement) {
    try (Sql sql = new Sql(database)) {
      PreparedStatementPlan plan = sql.session().prepare(statement);
      assertNotNull(plan);
      sql.session().setQueryTimeout(Duration.ofMillis(5));
      assertFails(ErrorCode.CANCELLED, () -> run(sql.session(), statement, parameters(statement)));
      sql.session().setQueryTimeout(Duration.ZERO);
      assertEquals(List.of("2000"), sql.query("SELECT COUNT(*) FROM copy"));
    }
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void shouldStopLongExpressions(String statement) {
    assertStops(statement, parameters(statement), (session, thread) -> session.cancel());
  }

  /**
   * Stops statements at random moments and prints the times until they stopped. {@link FuzzSeeds}
   * describes longer runs.
   */
  @Test
  @Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
  void shouldStopAtAnyMoment() throws Exception {
    List<String> all = Stream.concat(statements(), expressions()).toList();
    FuzzSeeds.run(
        "stops",
        0,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          String statement = all.get(random.nextInt(all.size()));
          assertStops(
              statement,
              parameters(statement),
              random.nextBoolean()
                  ? (session, thread) -> session.cancel()
                  : (session, thread) -> thread.interrupt(),
              random.nextInt(40));
        });
  }

  /** Returns long texts for expressions, and zeros for other statements. */
  private static Object[] parameters(String statement) {
    Object[] parameters = new Object[(int) statement.chars().filter(c -> c == '?').count()];
    Arrays.fill(parameters, statement.contains("VARCHAR") ? "a".repeat(4 << 20) : (Object) 0);
    return parameters;
  }

  @Test
  void shouldStopAnInterruptedThread() {
    assertStops(OPERATORS.get("HashJoin"), new Object[0], (session, thread) -> thread.interrupt());
  }

  @Test
  void shouldStopWhenTheSessionIsAborted() {
    assertStops(OPERATORS.get("HashJoin"), new Object[0], (session, thread) -> session.abort());
  }

  @SuppressWarnings("try") // the database closes before its block ends
  @Test
  void shouldStopWhenTheDatabaseIsClosed() {
    try (Database other = Sql.memory();
        Sql sql = new Sql(other)) {
      sql.run("CREATE TABLE big (k INTEGER NOT NULL)");
      sql.run("INSERT INTO big VALUES " + Sql.rows(0, ROWS, String::valueOf));
      CompletableFuture<Void> run =
          CompletableFuture.runAsync(() -> sql.query("SELECT COUNT(*) FROM " + ENDLESS));
      while (((LocalSession) sql.session()).runningSql() == null) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      other.close();
      CompletionException end = assertThrows(CompletionException.class, run::join);
      assertEquals(ErrorCode.CANCELLED, ((NelumboException) end.getCause()).code());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String terms(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "k * " + i + " = id")
        .collect(Collectors.joining(" OR "));
  }

  @Test
  void shouldStopPlanning() {
    String statement = "SELECT k FROM big WHERE " + terms(60_000);
    assertStopsPlanning(statement, (session, thread) -> session.cancel());
    assertStopsPlanning(statement, (session, thread) -> thread.interrupt());
    try (Sql sql = new Sql(database)) {
      sql.session().setQueryTimeout(Duration.ofMillis(30));
      assertFails(ErrorCode.CANCELLED, () -> sql.session().prepare(statement + " OR k = 1"));
    }
  }

  /**
   * Asserts that planning stops. The request is repeated, because a request before planning begins
   * is forgotten.
   */
  private static void assertStopsPlanning(String statement, Stop stop) {
    try (Session session = database.connect(SessionOptions.defaults())) {
      CompletableFuture<Void> run = new CompletableFuture<>();
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      session.prepare(statement);
                      run.complete(null);
                    } catch (Throwable e) {
                      run.completeExceptionally(e);
                    }
                  });
      TimeUnit.MILLISECONDS.sleep(50);
      while (!run.isDone()) {
        stop.stop(session, thread);
        TimeUnit.MILLISECONDS.sleep(50);
      }
      CompletionException end = assertThrows(CompletionException.class, run::join);
      assertEquals(ErrorCode.CANCELLED, ((NelumboException) end.getCause()).code());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldStopSchemaChangesAndCommits() {
    try (Database other = Sql.memory();
        Sql sql = new Sql(other)) {
      sql.run("CREATE TABLE big (id INTEGER PRIMARY KEY, k INTEGER NOT NULL)");
      sql.run("INSERT INTO big VALUES " + Sql.rows(0, 6 * ROWS, i -> i + ", " + i));
      sql.session().setQueryTimeout(Duration.ofNanos(1));
      for (String change :
          List.of(
              "CREATE INDEX by_k ON big (k)",
              "ALTER TABLE big ADD COLUMN c INTEGER DEFAULT 5 NOT NULL",
              "ALTER TABLE big ADD CHECK (k >= 0)")) {
        assertFails(ErrorCode.CANCELLED, () -> sql.run(change));
      }
      sql.session().setQueryTimeout(Duration.ZERO);
      assertEquals(List.of("12000"), sql.query("SELECT COUNT(*) FROM big"));
      sql.run("CREATE INDEX by_k ON big (k)", "ALTER TABLE big ADD CHECK (k >= 0)");
    }
  }
}
