package org.nelumbo.simulation.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.nelumbo.dm.env.Environment;

/**
 * A simulated compute node: its clock, its randomness and its pauses. The clock is off by a fixed
 * amount, and runs fast or slow by a bounded rate.
 */
public final class SimNode {
  /** 2025-01-01T00:00:00Z, the wall-clock time of a world at its virtual time 0. */
  private static final long ORIGIN_MICROS = 1_735_689_600_000_000L;

  private static final double MILLION = 1e6;

  private final String name;
  private final Timeline timeline;
  private final Environment environment;
  private long skewNanos;
  private double driftPpm;
  private long pausedUntil;
  private final List<FifoServer> processors = new ArrayList<>();

  SimNode(String name, Timeline timeline, Function<SimNode, Environment> environment) {
    this.name = name;
    this.timeline = timeline;
    this.environment = environment.apply(this);
  }

  public String name() {
    return name;
  }

  /**
   * Adds processors. The work of tasks that are created from now on takes time; they run on the
   * last processor, unless they are pinned to another one.
   */
  public void addProcessors(int count) {
    for (int i = 0; i < count; i++) {
      processors.add(new FifoServer());
    }
  }

  /** Returns the processors; an empty list if the work of the node takes no time. */
  public List<FifoServer> processors() {
    return Collections.unmodifiableList(processors);
  }

  FifoServer lastProcessor() {
    return processors.isEmpty() ? null : processors.getLast();
  }

  /** Returns the source of time, randomness, threads and waiting for code on this node. */
  public Environment environment() {
    return environment;
  }

  /**
   * Sets the error of the node's clock.
   *
   * @param skew nanoseconds by which the clock is ahead of virtual time at the start
   * @param ppm microseconds that the clock gains per second
   */
  public void setClock(long skew, double ppm) {
    this.skewNanos = skew;
    this.driftPpm = ppm;
  }

  /** Sets the wall clock forward; the monotonic clock is not affected. */
  public void jumpClock(long nanos) {
    skewNanos += nanos;
  }

  /** Pauses all tasks of the node until this virtual time: the node is slow, but has not failed. */
  public void pauseUntil(long time) {
    pausedUntil = Math.max(pausedUntil, time);
  }

  /** Returns the virtual time before which no task of the node takes a step. */
  public long pausedUntil() {
    return pausedUntil;
  }

  /** Returns the node's monotonic clock in nanoseconds. */
  long nanoTime() {
    long now = timeline.now();
    return driftPpm == 0 ? now : now + (long) (now * driftPpm / MILLION);
  }

  /** Returns the node's wall clock in microseconds since the Unix epoch. */
  long epochMicros() {
    return ORIGIN_MICROS + (nanoTime() + skewNanos) / 1000;
  }

  @Override
  public String toString() {
    return name;
  }
}
