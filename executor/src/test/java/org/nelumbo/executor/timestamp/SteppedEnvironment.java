package org.nelumbo.executor.timestamp;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;

/** Time moves when the test says so. */
final class SteppedEnvironment implements Environment {
  private final AtomicLong micros = new AtomicLong(1_800_000_000_000_000L);

  void advanceMicros(long by) {
    micros.addAndGet(by);
  }

  @Override
  public long nanoTime() {
    return micros.get() * 1000;
  }

  @Override
  public long epochMicros() {
    return micros.get();
  }

  @Override
  public long randomLong() {
    return micros.get() * 0x9E3779B97F4A7C15L;
  }

  @Override
  public void backoff(int attempt) {
    Thread.yield();
  }

  @Override
  public void parkNanos(long nanos) {
    advanceMicros(nanos / 1000);
  }

  @Override
  public Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }
}
