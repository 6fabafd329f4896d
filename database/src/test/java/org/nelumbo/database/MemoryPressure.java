package org.nelumbo.database;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.MemoryBudget;

/**
 * A program that runs statements that are too large for its small heap, while another session
 * works. It ends with status 0 if that session had no error, and each large statement succeeded or
 * failed with an error of its own. It prints the outcome of each statement.
 */
final class MemoryPressure {
  private static final Set<String> REFUSALS = Set.of("53200", "54000", "54001");
  private static final int ROWS = 2_000;

  private MemoryPressure() {}

  public static void main(String[] arguments) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> failure.compareAndSet(null, e));
    try (Database database = Sql.memory();
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(100))");
      sql.run("CREATE TABLE copy (id INTEGER PRIMARY KEY, s VARCHAR(100))");
      sql.run("CREATE TABLE own (id INTEGER PRIMARY KEY, n INTEGER)");
      String text = "a text of some length, so that rows take memory ";
      sql.run("INSERT INTO t VALUES " + Sql.rows(0, ROWS, i -> i + ", '" + text + i + "'"));
      AtomicBoolean stop = new AtomicBoolean();
      AtomicLong done = new AtomicLong();
      Thread worker = Thread.ofPlatform().start(() -> work(database, stop, done, failure));
      for (String statement : statements()) {
        run(sql, statement, failure);
      }
      stop.set(true);
      worker.join();
      System.out.println("worked=" + done + " used=" + MemoryBudget.ofJvm().used());
    }
    if (failure.get() != null) {
      failure.get().printStackTrace();
      System.exit(1);
    }
  }

  private static List<String> statements() {
    String many = "t a, t b WHERE b.id < 90";
    String list =
        IntStream.range(0, 100_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
    String bomb = "s";
    for (int i = 0; i < 10; i++) {
      bomb = "REPLACE(" + bomb + ", 'a', s)";
    }
    return List.of(
        "SELECT a.s || b.s x FROM " + many + " ORDER BY x",
        "SELECT a.s || b.s x, COUNT(*) FROM " + many + " GROUP BY a.s || b.s",
        "SELECT DISTINCT a.s || b.s FROM " + many,
        "SELECT COUNT(*) FROM (SELECT a.s || b.s x FROM "
            + many
            + ") l JOIN (SELECT a.s || b.s y"
            + " FROM "
            + many
            + ") r ON l.x = r.y",
        "SELECT COUNT(DISTINCT a.s || b.s) FROM " + many,
        "SELECT a.s || b.s FROM " + many + " EXCEPT SELECT b.s || a.s FROM " + many,
        "INSERT INTO copy SELECT a.id * 1000 + b.id, a.s FROM " + many,
        "SELECT id FROM t WHERE id IN (" + list + ")",
        "SELECT id FROM t WHERE s = '" + "x".repeat(4_000_000) + "'",
        "SELECT CHAR_LENGTH(" + bomb + ") FROM t",
        "SELECT " + "ABS(".repeat(1_500) + "id" + ")".repeat(1_500) + " FROM t");
  }

  private static void run(Sql sql, String statement, AtomicReference<Throwable> failure) {
    String start = statement.substring(0, Math.min(60, statement.length()));
    long begin = System.nanoTime();
    String outcome;
    try {
      if (statement.startsWith("INSERT")) {
        outcome = "rows=" + sql.update(statement);
      } else {
        long[] rows = new long[1];
        sql.query(statement, row -> rows[0]++);
        outcome = "rows=" + rows[0];
      }
    } catch (NelumboException e) {
      outcome = e.code().sqlState() + " " + e.getMessage();
      if (!REFUSALS.contains(e.code().sqlState())) {
        failure.compareAndSet(null, e);
      }
    } catch (Throwable e) {
      outcome = e.toString();
      failure.compareAndSet(null, e);
    }
    System.out.println((System.nanoTime() - begin) / 1_000_000 + " ms " + start + ": " + outcome);
  }

  private static void work(
      Database database, AtomicBoolean stop, AtomicLong done, AtomicReference<Throwable> failure) {
    try (Sql sql = new Sql(database)) {
      while (!stop.get()) {
        int id = (int) (done.incrementAndGet() % 1_000);
        sql.update("DELETE FROM own WHERE id = ?", (long) id);
        sql.update("INSERT INTO own VALUES (?, ?)", (long) id, done.get() % 7);
        sql.query("SELECT n, COUNT(*) FROM own GROUP BY n ORDER BY n");
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }
}
