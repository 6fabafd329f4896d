package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.env.Environment;

/** An environment for one thread in which each read of the clock advances it by one second. */
final class ImpatientEnvironment implements Environment {
  private final Runnable onBackoff;
  private long now;

  ImpatientEnvironment() {
    this(() -> {});
  }

  /**
   * @param onBackoff action that runs in each backoff
   */
  ImpatientEnvironment(Runnable onBackoff) {
    this.onBackoff = onBackoff;
  }

  @Override
  public long nanoTime() {
    return now += 1_000_000_000L;
  }

  @Override
  public long epochMicros() {
    return nanoTime() / 1000;
  }

  @Override
  public long randomLong() {
    return now * 0x9E3779B97F4A7C15L;
  }

  @Override
  public void backoff(int attempt) {
    onBackoff.run();
  }

  @Override
  public void stepAside() {}

  @Override
  public void parkNanos(long nanos) {}

  @Override
  public Thread thread(String name, Runnable body) {
    throw new UnsupportedOperationException("a single thread");
  }
}
