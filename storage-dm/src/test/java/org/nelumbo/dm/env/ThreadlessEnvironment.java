package org.nelumbo.dm.env;

/**
 * An environment in which the first threads whose names begin with a prefix cannot be started. It
 * adds up pauses and shortens them.
 */
public final class ThreadlessEnvironment extends ForwardingEnvironment {
  private static final long LONGEST_PARK_NANOS = 10_000_000;

  private final String prefix;
  private int missing;
  private long pausedNanos;

  /**
   * @param missing number of thread starts that fail
   */
  public ThreadlessEnvironment(String prefix, int missing) {
    this.prefix = prefix;
    this.missing = missing;
  }

  /** Returns the sum of all requested pauses. */
  public synchronized long pausedNanos() {
    return pausedNanos;
  }

  /** Returns the number of thread starts that will still fail. */
  public synchronized int missing() {
    return missing;
  }

  @Override
  public void parkNanos(long nanos) {
    synchronized (this) {
      pausedNanos += nanos;
    }
    environment.parkNanos(Math.min(nanos, LONGEST_PARK_NANOS));
  }

  @Override
  public synchronized Thread thread(String name, Runnable body) {
    if (!name.startsWith(prefix) || missing == 0) {
      return environment.thread(name, body);
    }
    missing--;
    return new Thread(body, name) {
      @Override
      public void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }
}
