package org.nelumbo.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockTable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Acquires and releases locks of the lock table, without contention. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Locks {
  private static final int KEYS = 1 << 20;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final Draw draw = new Draw();
  private LockTable locks;

  @Setup
  public void open() {
    locks = new LockTable(new SystemEnvironment(), EngineOptions.DEFAULT.lockBuckets());
  }

  private long key() {
    return SPREAD * (1 + draw.below(KEYS));
  }

  @Benchmark
  public LockResult write() {
    return lock(LockMode.WRITE);
  }

  @Benchmark
  public LockResult read() {
    return lock(LockMode.READ);
  }

  private LockResult lock(LockMode mode) {
    long key = key();
    LockResult result = locks.tryAcquire(key, mode, 1);
    locks.release(key, mode);
    return result;
  }

  @Benchmark
  public LockResult upgrade() {
    long key = key();
    locks.tryAcquire(key, LockMode.READ, 1);
    LockResult result = locks.tryUpgrade(key, 1);
    locks.release(key, LockMode.WRITE);
    return result;
  }

  @TearDown
  public void verify() {
    locks.verify();
  }
}
