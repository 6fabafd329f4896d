package org.nelumbo.dm.env;

/**
 * An environment in which the first threads whose names begin with a text cannot be started, which
 * sums up pauses and keeps them short.
 */
public final class ThreadlessEnvironment extends ForwardingEnvironment {
  private static final long LONGEST_PARK_NANOS = 10_000_000;

  private final String prefix;
  private int missing;
  private long pausedNanos;

  /**
   * @param missing so many threads are not there when they are to be started
   */
  public ThreadlessEnvironment(String prefix, int missing) {
    this.prefix = prefix;
    this.missing = missing;
  }

  /** Sum of the pauses that were asked for. */
  public synchronized long pausedNanos() {
    return pausedNanos;
  }

  /** Number of threads that are missing still. */
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
