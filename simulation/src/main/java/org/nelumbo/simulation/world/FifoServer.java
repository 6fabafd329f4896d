package org.nelumbo.simulation.world;

/**
 * A server of a model that does one piece of work after the other, in the order of the requests: a
 * processor, or a part of a network card.
 */
public final class FifoServer {
  private double free;
  private double busy;

  /**
   * Adds a piece of work.
   *
   * @param arrival virtual time at which the work arrives
   * @param nanos duration of the work
   * @return the time from its arrival until it is done, nanoseconds
   */
  public double serve(double arrival, double nanos) {
    double wait = Math.max(0, free - arrival);
    free = arrival + wait + nanos;
    busy += nanos;
    return wait + nanos;
  }

  /**
   * Adds a piece of work, in whole nanoseconds.
   *
   * @param arrival virtual time at which the work arrives
   * @return the time from its arrival until it is done, nanoseconds
   */
  public long work(long arrival, long nanos) {
    return (long) serve((double) arrival, (double) nanos);
  }

  /** Returns the sum of the durations of all work so far, nanoseconds. */
  public double busyNanos() {
    return busy;
  }
}
