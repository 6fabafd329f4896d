package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.PointBatch;
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
 * A transaction like those of SmallBank, through the native API and on one core: it reads two
 * 16-byte records and writes both, at isolation level serializable. {@link RawVerbs} is its lower
 * bound.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SmallTransfer {
  @Param({"10000", "1000000"})
  private int accounts;

  private final Draw draw = new Draw();
  private final RowBuffer row = new RowBuffer();
  private LoadedRows loadedRows;
  private PointBatch batch;

  @Setup
  public void load() {
    open(LoadedRows.newFabric(accounts), accounts);
  }

  /** Loads the rows on the caller's fabric, which {@link #close} closes. */
  void open(Fabric fabric, int accountCount) {
    accounts = accountCount;
    loadedRows = LoadedRows.load(fabric, LoadedRows.SMALL, accountCount);
    batch = loadedRows.transaction.newPointBatch();
  }

  @Benchmark
  public void transaction() {
    int from = draw.below(accounts);
    int to = draw.below(accounts - 1);
    loadedRows.transaction.begin(Isolation.SERIALIZABLE, false);
    batch.clear();
    add(from);
    add(to < from ? to : to + 1);
    LoadedRows.check(batch.execute(LockMode.WRITE));
    change(0, -1);
    change(1, 1);
    LoadedRows.check(loadedRows.transaction.commit());
  }

  private void add(int account) {
    loadedRows.key(LoadedRows.loadedKey(account));
    batch.add(loadedRows.table, loadedRows.key);
  }

  private void change(int index, long by) {
    batch.row(index, row);
    LoadedRows.check(batch.update(index, loadedRows.changed(row, by)));
  }

  @TearDown
  public void close() {
    loadedRows.close();
  }
}
