package org.nelumbo.dm.env;

/**
 * An environment whose time advances only while a caller waits, and which runs an action in each
 * backoff.
 */
public class VirtualTime implements Environment {
  /** Current time in nanoseconds. */
  public long nanos = 1;

  public int waits;

  public Runnable meanwhile;

  private final long backoffNanos;

  /**
   * @param backoffNanos time that passes during a backoff
   * @param meanwhile action that runs in each backoff
   */
  public VirtualTime(long backoffNanos, Runnable meanwhile) {
    this.backoffNanos = backoffNanos;
    this.meanwhile = meanwhile;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public long epochMicros() {
    return nanos / 1_000;
  }

  @Override
  public long randomLong() {
    return nanos;
  }

  @Override
  public void backoff(int attempt) {
    waits++;
    nanos += backoffNanos;
    meanwhile.run();
  }

  @Override
  public void stepAside() {}

  @Override
  public void parkNanos(long parkedNanos) {
    nanos += parkedNanos;
  }

  @Override
  public Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }
}
