package org.nelumbo.simulation.run;

import java.util.function.BiFunction;
import java.util.function.LongFunction;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimWorld;
import org.nelumbo.simulation.world.SimulationFailure;

/** A runner of seeds, each in a new world, which sums their counts. Not thread-safe. */
public final class FaultSeeds implements LongFunction<String> {
  private final BiFunction<SimWorld, Totals, FaultRun> factory;
  private final Totals totals;

  /**
   * Creates the seeds of one kind of run.
   *
   * @param names names of the totals, in the order in which they are printed
   */
  public FaultSeeds(BiFunction<SimWorld, Totals, FaultRun> factory, String... names) {
    this.factory = factory;
    this.totals = new Totals(names);
  }

  /** Returns the totals of all seeds so far. */
  public Totals totals() {
    return totals;
  }

  /** Runs a seed; returns the failure, or null if every check passed. */
  @Override
  public String apply(long seed) {
    try (SimWorld world = new SimWorld(seed, Trace.hashing())) {
      FaultRun run = factory.apply(world, totals);
      try {
        run.run();
        return null;
      } catch (SimulationFailure | IllegalStateException failure) {
        return "seed=" + seed + ": " + failure.getMessage() + run.describe();
      } finally {
        run.finish();
      }
    }
  }
}
