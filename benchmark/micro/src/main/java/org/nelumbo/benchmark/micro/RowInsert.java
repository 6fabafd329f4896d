package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.session.Isolation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Inserts 100-byte rows into a table with the native API, each in a transaction of its own, at
 * random keys or at the end. An iteration inserts ten thousand rows. The next iteration first
 * deletes them, which is not measured, so that the table keeps its size. The table has at least
 * 10,000 rows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 60)
@Measurement(iterations = 40)
public class RowInsert {
  private static final int INSERTS = 10_000;

  /** A number coprime to every power of ten, so that its multiples reach every row once. */
  private static final long STRIDE = 618_033_989;

  @Param({"10000", "1000000"})
  private int rows;

  @Param({"random", "ascending"})
  private String order;

  private LoadedRows table;
  private long inserted;
  private long deleted;

  @Setup
  public void load() {
    if (rows < INSERTS || Integer.toString(rows).replace("0", "").length() != 1) {
      throw new IllegalArgumentException(
          "rows must be a power of ten, at least 10,000 rows=" + rows);
    }
    table = LoadedRows.load(RowAccess.ROW_BYTES, rows);
  }

  private long key(long number) {
    return order.equals("random")
        ? LoadedRows.freeKey(number * STRIDE % rows)
        : LoadedRows.loadedKey(rows + number);
  }

  @Setup(Level.Invocation)
  public void deleteAgain() {
    while (deleted < inserted) {
      table.transaction.begin(Isolation.SERIALIZABLE, false);
      table.delete(key(deleted++));
      LoadedRows.check(table.transaction.commit());
    }
    table.collect(INSERTS);
  }

  @Benchmark
  @OperationsPerInvocation(INSERTS)
  public void insert() {
    for (int i = 0; i < INSERTS; i++) {
      table.transaction.begin(Isolation.SERIALIZABLE, false);
      table.insert(key(inserted++));
      LoadedRows.check(table.transaction.commit());
    }
  }

  @TearDown
  public void close() {
    table.close();
  }
}
