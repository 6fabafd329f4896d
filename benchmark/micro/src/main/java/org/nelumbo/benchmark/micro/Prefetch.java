package org.nelumbo.benchmark.micro;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * READs of 16 rows of 256 bytes at random locations of the pool, without and with prefetch hints.
 * With {@code -jvmArgsAppend -Dnelumbo.prefetch=loads} the hints are loads instead of the
 * processor's prefetch instruction.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Prefetch {
  private static final int ROWS = 16;
  private static final int ROW_BYTES = 256;

  @Param("268435456")
  private long poolBytes;

  private final long[] addresses = new long[ROWS];
  private final Draw draw = new Draw();
  private LocalFabric fabric;
  private Channel channel;

  @Setup
  public void fill() {
    fabric = new LocalFabric(poolBytes);
    channel = fabric.openChannel(ROWS * ROW_BYTES);
    for (long offset = 0; offset < poolBytes; offset += Long.BYTES) {
      channel.writeLong(PoolAddress.of(0, offset), offset);
    }
    channel.flush();
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long asTheyCome() {
    choose();
    return readAll();
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long afterHints() {
    choose();
    for (int i = 0; i < ROWS; i++) {
      channel.prefetch(addresses[i], ROW_BYTES);
    }
    return readAll();
  }

  private void choose() {
    for (int i = 0; i < ROWS; i++) {
      addresses[i] =
          PoolAddress.of(0, draw.below((int) (poolBytes / ROW_BYTES)) * (long) ROW_BYTES);
    }
  }

  private long readAll() {
    long sum = 0;
    for (int i = 0; i < ROWS; i++) {
      channel.read(addresses[i], i * ROW_BYTES, ROW_BYTES);
      sum += channel.staging().get(ValueLayout.JAVA_LONG, (long) i * ROW_BYTES);
    }
    channel.flush();
    return sum;
  }

  @TearDown
  public void close() {
    channel.close();
    fabric.close();
  }
}
