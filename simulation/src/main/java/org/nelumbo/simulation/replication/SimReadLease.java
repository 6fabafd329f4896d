package org.nelumbo.simulation.replication;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.simulation.world.SimWorld;

/** The read lease granted to a compute node by a memory node through a connection. */
final class SimReadLease {
  private static final long LONG_AGO_NANOS = 1L << 60;

  private final SimWorld world;
  private final Environment environment;
  private final long cutOffNanos;

  /** Send time of the latest request with a reply, by the clock of the compute node. */
  private long answered = -LONG_AGO_NANOS;

  /** Virtual time of the latest request. */
  private long sent = -LONG_AGO_NANOS;

  /**
   * Creates a lease that is not granted yet.
   *
   * @param environment environment of the compute node
   * @param cutOffNanos time for which a fence waits; 0: the lease never ends
   */
  SimReadLease(SimWorld world, Environment environment, long cutOffNanos) {
    this.world = world;
    this.environment = environment;
    this.cutOffNanos = cutOffNanos;
  }

  /** Records a request; returns its send time, for {@link #answered}. */
  long send() {
    sent = world.now();
    return environment.nanoTime();
  }

  void answered(long sentNanos) {
    answered = Math.max(answered, sentNanos);
  }

  boolean isHeld(long now) {
    return cutOffNanos == 0 || now - answered < cutOffNanos - cutOffNanos / 8;
  }

  /** Waits until the lease has ended; no more requests are served. */
  void awaitEnd() {
    long end = sent + cutOffNanos;
    if (end > world.now()) {
      world.sleepUntil(end);
    }
  }
}
