package org.nelumbo.simulation.world;

import java.util.function.Function;
import org.nelumbo.dm.env.Environment;

/**
 * A simulated compute node: its clock, its randomness, whether it is paused. Its clock is off by a
 * fixed amount and runs fast or slow by a bounded rate.
 */
public final class SimNode {
  /** 2025-01-01T00:00:00Z: what the wall clocks of a world show at its virtual time 0. */
  private static final long ORIGIN_MICROS = 1_735_689_600_000_000L;

  private static final double MILLION = 1e6;

  private final String name;
  private final Timeline timeline;
  private final Environment environment;
  private long skewNanos;
  private double driftPpm;
  private long pausedUntil;

  SimNode(String name, Timeline timeline, Function<SimNode, Environment> environment) {
    this.name = name;
    this.timeline = timeline;
    this.environment = environment.apply(this);
  }

  public String name() {
    return name;
  }

  /** What code on this node takes time, randomness, threads and waiting from. */
  public Environment environment() {
    return environment;
  }

  /**
   * Sets the error of the node's clock.
   *
   * @param skew nanoseconds it is ahead of virtual time at the beginning
   * @param ppm microseconds it gains in a second
   */
  public void setClock(long skew, double ppm) {
    this.skewNanos = skew;
    this.driftPpm = ppm;
  }

  /** Sets the wall clock forward; the monotonic clock goes on as before. */
  public void jumpClock(long nanos) {
    skewNanos += nanos;
  }

  /** None of its tasks takes a step before that virtual time: it is slow, not dead. */
  public void pauseUntil(long time) {
    pausedUntil = Math.max(pausedUntil, time);
  }

  /** The virtual time before which none of its tasks takes a step. */
  public long pausedUntil() {
    return pausedUntil;
  }

  /** The node's monotonic clock, nanoseconds. */
  long nanoTime() {
    long now = timeline.now();
    return driftPpm == 0 ? now : now + (long) (now * driftPpm / MILLION);
  }

  /** The node's wall clock, microseconds since the Unix epoch. */
  long epochMicros() {
    return ORIGIN_MICROS + (nanoTime() + skewNanos) / 1000;
  }

  @Override
  public String toString() {
    return name;
  }
}
