package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.util.Map;
import java.util.function.LongFunction;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.instrument.Probe;
import org.nelumbo.simulation.trace.Trace;

/**
 * Runs seeds of a scenario for somebody whose classes another class loader has loaded, with one of
 * the planted defects if that is wanted.
 */
public final class SeedRunner implements LongFunction<String> {
  private final LongFunction<String> run;
  private final int defect;

  /**
   * Runs of a scenario.
   *
   * @param settings of the scenario, given otherwise
   * @param defect that is on, 0 for none
   */
  public SeedRunner(String scenario, Map<String, String> settings, int defect) throws IOException {
    FaultScenario own = FaultScenario.of(scenario);
    this.run = own == null ? of(scenario, settings) : own.newRuns();
    this.defect = defect;
  }

  /** Whether a scenario throws something at lines of the engine, which have probes for that. */
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
   * Such a runner of the classes that another loader has loaded: what did not hold with a seed,
   * null if all did.
   */
  public static LongFunction<String> in(
      ClassLoader loader, String scenario, Map<String, String> settings, int defect) {
    try {
      @SuppressWarnings("unchecked") // the class of the other loader is of this type, too
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

  /** Runs one; returns what did not hold, null if all did. */
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
