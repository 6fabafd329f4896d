package org.nelumbo.dm.env;

/** An environment whose time passes only while somebody waits; each backoff runs an action. */
public class VirtualTime implements Environment {
  /** The time now. */
  public long nanos = 1;

  /** Number of backoffs. */
  public int waits;

  /** Action of each backoff. */
  public Runnable meanwhile;

  private final long backoffNanos;

  /**
   * @param backoffNanos time that passes during a backoff
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
