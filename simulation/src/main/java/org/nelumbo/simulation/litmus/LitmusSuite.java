package org.nelumbo.simulation.litmus;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.trace.Trace;

/**
 * All runs of a litmus test: many schedules without a stop, and a stop of each coordinator at each
 * of its steps. For one thread.
 */
public final class LitmusSuite {
  private final LitmusRun run;
  private final Consumer<String> failures;
  private final Map<Isolation, Set<String>> outcomes = new EnumMap<>(Isolation.class);
  private long runs;
  private long stops;

  /**
   * Creates a suite with its own run.
   *
   * @param failures receives a message for each failed run, with the command that repeats it
   */
  public LitmusSuite(LitmusRun run, Consumer<String> failures) {
    this.run = run;
    this.failures = failures;
  }

  /** Returns the number of runs so far. */
  public long runs() {
    return runs;
  }

  /** Returns the number of runs in which a coordinator was stopped. */
  public long stops() {
    return stops;
  }

  /** Runs seeds from 0 under both policies, and compares their outcomes with the script. */
  public void schedules(LitmusScript script, Isolation isolation, int seeds) {
    Set<String> seen = new TreeSet<>();
    for (ConflictPolicy policy : ConflictPolicy.values()) {
      for (int seed = 0; seed < seeds; seed++) {
        LitmusCase what = LitmusCase.undisturbed(script, isolation, policy, seed);
        LitmusResult result = run(what);
        seen.add(result.outcome());
        if (result.problem() == null && !isAllowed(script, isolation, result.outcome())) {
          failures.accept("not allowed: " + result.outcome() + "\n  " + what.command());
        }
      }
    }
    outcomes.put(isolation, seen);
    for (String each : script.outcomes().get(isolation)) {
      if (!seen.contains(each)) {
        failures.accept(script.name() + " " + isolation + ": outcome never observed: " + each);
      }
    }
  }

  private static boolean isAllowed(LitmusScript script, Isolation isolation, String outcome) {
    return script.outcomes().get(isolation).contains(outcome);
  }

  /** Stops each coordinator at each of its steps of each kind, on one schedule. */
  public void stops(LitmusScript script, Isolation isolation, ConflictPolicy policy, long seed) {
    LitmusCase base = LitmusCase.undisturbed(script, isolation, policy, seed);
    for (int victim = 0; victim < script.transactions().size(); victim++) {
      for (StopPoint.Kind kind : StopPoint.Kind.values()) {
        boolean stopped = true;
        for (int step = 1; stopped; step++) {
          stopped = run(base.stopping(victim, new StopPoint(kind, step))).stopped();
        }
      }
    }
  }

  private LitmusResult run(LitmusCase what) {
    LitmusResult result;
    try {
      result = run.run(what, Trace.hashing());
    } catch (RuntimeException e) {
      throw new IllegalStateException("failed: " + what.command(), e);
    }
    runs++;
    stops += result.stopped() ? 1 : 0;
    if (result.problem() != null) {
      failures.accept(result.problem() + "\n  " + result.outcome() + "\n  " + what.command());
    }
    return result;
  }
}
