package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.session.Isolation;
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

/**
 * Reads one random 100-byte row by its key with the native API, in a transaction of its own. Use
 * {@code -p rows=10000000} for ten million rows. Inserts are in {@link RowInsert}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 2)
public class RowAccess {
  static final int ROW_BYTES = 100;

  @Param({"10000", "1000000"})
  private int rows;

  private final Draw draw = new Draw();
  private LoadedRows table;

  @Setup
  public void load() {
    table = LoadedRows.load(ROW_BYTES, rows);
  }

  /** Reads in a read-only transaction: without locks, the version of the snapshot. */
  @Benchmark
  public RowBuffer readSnapshot() {
    return read(true);
  }

  /** Reads in a serializable read-write transaction: under a lock, the newest version. */
  @Benchmark
  public RowBuffer readLocked() {
    return read(false);
  }

  private RowBuffer read(boolean readOnly) {
    table.transaction.begin(Isolation.SERIALIZABLE, readOnly);
    RowBuffer row = table.get(LoadedRows.loadedKey(draw.below(rows)));
    LoadedRows.check(table.transaction.commit());
    return row;
  }

  @TearDown
  public void close() {
    table.close();
  }
}
