package org.nelumbo.benchmark.micro;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
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
 * Reads a consecutive version table whose address is known, and selects its newest cell, at random
 * rows of tables of several sizes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CvtRead {
  @Param({"10000", "1000000"})
  private int rows;

  private final Draw draw = new Draw();
  private long[] cvts;
  private LoadedRows table;
  private Channel channel;
  private MemorySegment staging;
  private int staged;
  private int bytes;
  private int cells;

  @Setup
  public void load() {
    table = LoadedRows.load(LoadedRows.SMALL, rows);
    channel = table.coordinator.channel();
    staging = channel.staging();
    bytes = table.table.cvtBytes();
    cells = table.table.versions();
    staged = channel.reserve(bytes);
    cvts = new long[rows];
    long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
    for (int i = 0; i < rows; i++) {
      table.key(LoadedRows.loadedKey(i));
      table.table.hash().lookup(channel, table.key.lotusKey, candidates);
      cvts[i] = candidates[0];
    }
  }

  @Benchmark
  public long newestCell() {
    channel.read(cvts[draw.below(rows)], staged, bytes);
    channel.flush();
    long newest = 0;
    long record = 0;
    for (int cell = 0; cell < cells; cell++) {
      long word0 = CvtLayout.word0(staging, staged, cell);
      long word1 = CvtLayout.word1(staging, staged, cell);
      if (CellLayout.isValid(word0) && CellLayout.version(word1) > newest) {
        newest = CellLayout.version(word1);
        record = CellLayout.address(word0);
      }
    }
    return record;
  }

  @TearDown
  public void close() {
    table.close();
  }
}
