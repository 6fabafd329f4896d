package org.nelumbo.simulation.replication;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.simulation.world.SimWorld;

/** The read lease that a memory node has granted a compute node by a connection. */
final class SimReadLease {
  private static final long LONG_AGO_NANOS = 1L << 60;

  private final SimWorld world;
  private final Environment environment;
  private final long cutOffNanos;

  /** By the clock of the compute node: when the latest answered request was sent. */
  private long answered = -LONG_AGO_NANOS;

  /** Virtual time of the latest request. */
  private long sent = -LONG_AGO_NANOS;

  /**
   * A lease that is not granted yet.
   *
   * @param environment of the compute node
   * @param cutOffNanos for which a fence waits; 0: the lease never ends
   */
  SimReadLease(SimWorld world, Environment environment, long cutOffNanos) {
    this.world = world;
    this.environment = environment;
    this.cutOffNanos = cutOffNanos;
  }

  /** A request is sent; returns when, for {@link #answered}. */
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

  /** Waits until it has ended, when nothing is served any more. */
  void awaitEnd() {
    long end = sent + cutOffNanos;
    if (end > world.now()) {
      world.sleepUntil(end);
    }
  }
}
