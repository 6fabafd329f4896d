package org.nelumbo.simulation.world;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.simulation.instrument.Injected;

/** Time, randomness, threads and waiting of one simulated node. */
final class SimEnvironment implements Environment {
  private static final long SHORTEST_BACKOFF_NANOS = 100;
  private static final int DOUBLINGS_MAX = 10;

  private final SimNode node;
  private final Scheduler scheduler;
  private final SimRandom random;

  SimEnvironment(SimNode node, Scheduler scheduler, SimRandom random) {
    this.node = node;
    this.scheduler = scheduler;
    this.random = random;
  }

  @Override
  public long nanoTime() {
    return node.nanoTime();
  }

  @Override
  public long epochMicros() {
    return node.epochMicros();
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  /** Waits between half of a step and a whole step of 100 ns, 200 ns, ... 100 us. */
  @Override
  public void backoff(int attempt) {
    long limit = SHORTEST_BACKOFF_NANOS << Math.min(attempt, DOUBLINGS_MAX);
    scheduler.park(limit / 2 + random.nextLong(limit / 2 + 1));
  }

  @Override
  public void stepAside() {
    Thread.yield();
  }

  @Override
  public void parkNanos(long nanos) {
    if (nanos > 0) {
      scheduler.park(nanos);
    }
  }

  @Override
  public Thread thread(String name, Runnable body) {
    return scheduler.newTask(node, name, false, body::run).thread();
  }

  /**
   * Fails the run, where production would continue: a failed background thread is a defect, unless
   * the failure was injected.
   */
  @Override
  public void backgroundFailed(Throwable why) {
    if (why instanceof WorldClosed end) {
      throw end;
    }
    if (Injected.isCauseOf(why)) {
      return;
    }
    throw new IllegalStateException("a background thread has failed: " + why, why);
  }
}
