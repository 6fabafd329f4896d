package org.nelumbo.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.trace.Trace;

/**
 * A run of a scenario with many seeds on one or several threads; each seed has its own world. It
 * stops at the first failed seed unless it is set to continue.
 */
public final class Soak {
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
   * Creates a soak.
   *
   * @param firstSeed first of the consecutive seeds
   * @param goOn whether it continues after a failure
   */
  public Soak(Scenario scenario, long firstSeed, long seeds, boolean goOn) {
    this.scenario = scenario;
    this.firstSeed = firstSeed;
    this.seeds = seeds;
    this.goOn = goOn;
  }

  /** Runs all seeds on this number of threads, and waits for them. */
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

  /** Returns a copy of the counts so far. */
  public SoakTotals totals() {
    lock.lock();
    try {
      return totals.copy();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the runs that have failed so far. */
  public List<ScenarioResult> failures() {
    lock.lock();
    try {
      return List.copyOf(failures);
    } finally {
      lock.unlock();
    }
  }
}
