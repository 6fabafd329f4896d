package org.nelumbo.simulation.protocol;

import java.util.function.LongFunction;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimWorld;
import org.nelumbo.simulation.world.SimulationFailure;

/** A protocol on its own, in a world of each seed, and totals over the seeds. Not thread-safe. */
public abstract class ProtocolRun implements LongFunction<String> {
  /** What belongs to one seed. */
  protected interface SeedRun {
    /**
     * Throws an {@link IllegalStateException} or a {@link SimulationFailure} if it does not hold.
     */
    void run();

    /** Adds to the totals; is called last, however the run has ended. */
    void count();

    /** What is told of a run that has failed, besides the failure. */
    default String describe() {
      return "";
    }
  }

  /** Makes what belongs to the seed of a world. */
  protected abstract SeedRun begin(SimWorld world);

  /** Totals of all seeds so far, as {@code key=value} with blanks between. */
  public abstract String totals();

  /** Runs a seed; returns what did not hold, null if all did. */
  @Override
  public final String apply(long seed) {
    try (SimWorld world = new SimWorld(seed, Trace.hashing())) {
      SeedRun one = begin(world);
      try {
        one.run();
        return null;
      } catch (SimulationFailure | IllegalStateException failure) {
        return "seed=" + seed + ": " + failure.getMessage() + one.describe();
      } finally {
        one.count();
      }
    }
  }
}
