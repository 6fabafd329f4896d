package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.session.StatementExecution;
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

/** Statements below JDBC: a session runs a prepared plan in auto-commit mode, at random rows. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlanRun {
  private static final long BASE_BYTES = 1L << 30;
  private static final long BYTES_PER_ROW = 1_000;

  @Param("10000")
  private int rows;

  private final Draw draw = new Draw();
  private Database database;
  private Session session;
  private StatementExecution select;
  private StatementExecution update;

  @Setup
  public void load() {
    database =
        DatabaseOpener.openMemory(
            DatabaseOptions.defaults().withMemoryBytes(BASE_BYTES + BYTES_PER_ROW * rows));
    session = database.connect(SessionOptions.defaults());
    execution("CREATE TABLE t (id INTEGER PRIMARY KEY, amount BIGINT NOT NULL)").executeUpdate();
    StatementExecution insert = execution("INSERT INTO t VALUES (?, ?)");
    for (int i = 0; i < rows; i++) {
      insert.parameters().setLong(0, i);
      insert.parameters().setLong(1, i);
      insert.executeUpdate();
    }
    select = execution("SELECT amount FROM t WHERE id = ?");
    update = execution("UPDATE t SET amount = amount + 1 WHERE id = ?");
  }

  private StatementExecution execution(String sql) {
    return session.newExecution(session.prepare(sql));
  }

  @Benchmark
  public long select() {
    select.parameters().setLong(0, draw.below(rows));
    select.executeQuery();
    select.next();
    long amount = select.longAt(0);
    select.closeRows();
    return amount;
  }

  @Benchmark
  public long update() {
    update.parameters().setLong(0, draw.below(rows));
    return update.executeUpdate();
  }

  /** Finds the plan of a text that was prepared before. */
  @Benchmark
  public Object prepareAgain() {
    return session.prepare("SELECT amount FROM t WHERE id = ?");
  }

  @TearDown
  public void close() {
    session.close();
    database.close();
  }
}
