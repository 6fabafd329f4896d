package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.util.Map;
import java.util.function.LongFunction;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.instrument.Probe;
import org.nelumbo.simulation.trace.Trace;

/**
 * A runner of seeds of a scenario for callers in another class loader, with one of the planted
 * defects enabled on request.
 */
public final class SeedRunner implements LongFunction<String> {
  private final LongFunction<String> run;
  private final int defect;

  /**
   * Creates the runs of a scenario.
   *
   * @param settings settings that override the scenario file
   * @param defect number of the enabled defect, 0 for none
   */
  public SeedRunner(String scenario, Map<String, String> settings, int defect) throws IOException {
    FaultScenario own = FaultScenario.of(scenario);
    this.run = own == null ? of(scenario, settings) : own.newRuns();
    this.defect = defect;
  }

  /** Returns true if a scenario injects throwables at lines of the engine, which needs probes. */
  static boolean throwsSomething(String scenario, Map<String, String> settings) throws IOException {
    return FaultScenario.of(scenario) == null
        && Scenario.load(scenario, settings).faults().throwsSomething();
  }

  private static LongFunction<String> of(String scenario, Map<String, String> settings)
      throws IOException {
    ScenarioRun run = new ScenarioRun(Scenario.load(scenario, settings), new SimMemory());
    return seed -> {
      ScenarioResult result = run.run(seed, Trace.hashing());
      return result.isOk() ? null : result.failure().getMessage();
    };
  }

  /**
   * Returns such a runner that uses the classes of another loader. It maps a seed to its failure,
   * or to null if every check passed.
   */
  public static LongFunction<String> in(
      ClassLoader loader, String scenario, Map<String, String> settings, int defect) {
    try {
      @SuppressWarnings("unchecked") // the class of the other loader implements this type, too
      LongFunction<String> runner =
          (LongFunction<String>)
              loader
                  .loadClass(SeedRunner.class.getName())
                  .getConstructor(String.class, Map.class, int.class)
                  .newInstance(scenario, settings, defect);
      return runner;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("scenario " + scenario + " cannot be run", e);
    }
  }

  /** Runs a seed; returns the failure, or null if every check passed. */
  @Override
  public String apply(long seed) {
    Probe.defect = defect;
    try {
      return run.apply(seed);
    } finally {
      Probe.defect = 0;
    }
  }
}
