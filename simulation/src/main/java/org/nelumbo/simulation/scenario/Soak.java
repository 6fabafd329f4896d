package org.nelumbo.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.trace.Trace;

/**
 * Runs a scenario with many seeds, on one or several threads; each run is a world of its own. Ends
 * early when a seed fails, unless it is told to go on.
 */
public final class Soak {
  /** How often a seed is run again if it was disturbed. */
  private static final int DISTURBED_MAX = 3;

  private final Scenario scenario;
  private final long firstSeed;
  private final long seeds;
  private final boolean goOn;
  private final SoakTotals totals = new SoakTotals();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong next = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<ScenarioResult> failures = new ArrayList<>();
  private Throwable broken;

  /**
   * A soak.
   *
   * @param firstSeed the seeds are this one and those that follow it
   * @param goOn whether it goes on after a failure
   */
  public Soak(Scenario scenario, long firstSeed, long seeds, boolean goOn) {
    this.scenario = scenario;
    this.firstSeed = firstSeed;
    this.seeds = seeds;
    this.goOn = goOn;
  }

  /** Runs all seeds on that many threads, and waits for them. */
  public void run(int threads) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().name("world-" + i).start(this::work));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    if (broken != null) {
      throw new IllegalStateException("the simulator itself failed", broken);
    }
  }

  private void work() {
    ScenarioRun run = new ScenarioRun(scenario, new SimMemory());
    try {
      for (long i = next.getAndIncrement();
          i < seeds && !stopped.get();
          i = next.getAndIncrement()) {
        add(runUndisturbed(run, firstSeed + i));
      }
    } catch (RuntimeException | Error e) {
      stopped.set(true);
      broken = e;
    }
  }

  /** Runs a seed again that was disturbed by a world beside it. */
  private static ScenarioResult runUndisturbed(ScenarioRun run, long seed) {
    ScenarioResult result = run.run(seed, Trace.hashing());
    for (int again = 0; again < DISTURBED_MAX && result.isDisturbed(); again++) {
      result = run.run(seed, Trace.hashing());
    }
    return result;
  }

  private void add(ScenarioResult result) {
    lock.lock();
    try {
      totals.add(result);
      if (!result.isOk()) {
        failures.add(result);
        stopped.compareAndSet(false, !goOn);
      }
    } finally {
      lock.unlock();
    }
  }

  public Scenario scenario() {
    return scenario;
  }

  /** Counts so far; a copy. */
  public SoakTotals totals() {
    lock.lock();
    try {
      return totals.copy();
    } finally {
      lock.unlock();
    }
  }

  /** The runs that failed so far. */
  public List<ScenarioResult> failures() {
    lock.lock();
    try {
      return List.copyOf(failures);
    } finally {
      lock.unlock();
    }
  }
}
