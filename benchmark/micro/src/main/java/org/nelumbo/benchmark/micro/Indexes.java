package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.tree.OrderedIndex;
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
 * The two indexes over the primary key without the rest of the engine: lookups, and removing and
 * reinserting an entry, at random keys of tables of several sizes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Indexes {
  @Param({"10000", "1000000"})
  private int rows;

  private final Draw draw = new Draw();
  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
  private LoadedRows table;
  private HashIndex hash;
  private OrderedIndex tree;
  private Channel channel;
  private PoolAllocator allocator;

  @Setup
  public void load() {
    table = LoadedRows.load(LoadedRows.SMALL, rows);
    hash = table.table.hash();
    tree = table.table.primary().tree();
    channel = table.coordinator.channel();
    allocator = table.coordinator.allocator();
  }

  private void drawKey() {
    table.key(LoadedRows.loadedKey(draw.below(rows)));
  }

  @Benchmark
  public long hashLookup() {
    drawKey();
    hash.lookup(channel, table.key.lotusKey, candidates);
    return candidates[0];
  }

  @Benchmark
  public boolean hashRemoveAndInsert() {
    long cvt = hashLookup();
    hash.remove(channel, table.key.lotusKey, cvt);
    return hash.insert(channel, allocator, table.key.lotusKey, cvt);
  }

  @Benchmark
  public long treeLookup() {
    drawKey();
    return tree.get(channel, table.key.bytes, table.key.length);
  }

  @Benchmark
  public int treeRemoveAndInsert() {
    long cvt = treeLookup();
    tree.remove(channel, table.key.bytes, table.key.length, cvt, LeafGuard.NONE);
    return tree.insert(channel, allocator, table.key.bytes, table.key.length, cvt, LeafGuard.NONE);
  }

  @TearDown
  public void close() {
    table.close();
  }
}
