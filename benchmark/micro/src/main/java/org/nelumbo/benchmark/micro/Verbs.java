package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
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
 * Single verbs on the local fabric, each with a flush, at random addresses of a pool that fits into
 * the caches and of one that does not.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Verbs {
  private static final int STAGING_BYTES = 1 << 16;
  private static final int LINE = 64;
  private static final int NODE = 1_024;

  @Param({"65536", "1073741824"})
  private int poolBytes;

  private final Draw draw = new Draw();
  private LocalFabric fabric;
  private Channel channel;
  private int staged;

  @Setup
  public void open() {
    fabric = new LocalFabric(poolBytes);
    channel = fabric.openChannel(STAGING_BYTES);
    staged = channel.reserve(NODE);
    for (long offset = 0; offset < poolBytes; offset += NODE) {
      channel.write(
          PoolAddress.of(0, offset),
          staged,
          NODE); // the system allocates memory at the first access
    }
    channel.flush();
  }

  private long place() {
    return PoolAddress.of(0, (long) draw.below(poolBytes / NODE) * NODE);
  }

  @Benchmark
  public void read64() {
    channel.read(place(), staged, LINE);
    channel.flush();
  }

  @Benchmark
  public void read1024() {
    channel.read(place(), staged, NODE);
    channel.flush();
  }

  @Benchmark
  public void write64() {
    channel.write(place(), staged, LINE);
    channel.flush();
  }

  @Benchmark
  public void compareAndSwap() {
    channel.compareAndSwap(place(), 0, 0, staged);
    channel.flush();
  }

  @Benchmark
  public void fetchAndAdd() {
    channel.fetchAndAdd(place(), 1, staged);
    channel.flush();
  }

  @TearDown
  public void close() {
    channel.close();
    fabric.close();
  }
}
