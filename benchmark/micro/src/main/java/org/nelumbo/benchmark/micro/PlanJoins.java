package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Plans a join of several tables, from a new text to a plan. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlanJoins {
  /** The graph of join conditions between the tables. */
  public enum Shape {
    /** A condition between each table and the next one. */
    CHAIN,
    /** A condition between the first table and every other one. */
    STAR,
    /** A condition between every two tables. */
    CLIQUE
  }

  @Param("10")
  private int tables;

  @Param private Shape shape;

  private Database database;
  private Session session;
  private String text;
  private int number;

  @Setup
  public void load() {
    database = DatabaseOpener.openMemory(DatabaseOptions.defaults());
    session = database.connect(SessionOptions.defaults());
    for (int t = 0; t < tables; t++) {
      run("CREATE TABLE t%d (id INTEGER PRIMARY KEY, %s)".formatted(t, list("k%d INTEGER")));
      for (int c = 0; c < tables; c++) {
        run("CREATE INDEX t%d_k%d ON t%d (k%d)".formatted(t, c, t, c));
      }
    }
    text = " FROM " + list("t%d") + " WHERE t0.id > 5" + conditions();
  }

  private String list(String format) {
    return IntStream.range(0, tables).mapToObj(format::formatted).collect(Collectors.joining(", "));
  }

  private String conditions() {
    StringBuilder conditions = new StringBuilder();
    for (int a = 0; a < tables; a++) {
      for (int b = a + 1; b < tables; b++) {
        boolean bound =
            switch (shape) {
              case CHAIN -> b == a + 1;
              case STAR -> a == 0;
              case CLIQUE -> true;
            };
        if (bound) {
          conditions.append(" AND t%d.k%d = t%d.k%d".formatted(a, b, b, a));
        }
      }
    }
    return conditions.toString();
  }

  private void run(String sql) {
    session.newExecution(session.prepare(sql)).executeUpdate();
  }

  @Benchmark
  public Object plan() {
    return session.prepare("SELECT t0.id AS a" + number++ + text);
  }

  @TearDown
  public void close() {
    session.close();
    database.close();
  }
}
