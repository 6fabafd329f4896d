package org.nelumbo.simulation.scenario;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fault.CrashPlan;
import org.nelumbo.simulation.fault.FaultPlan;
import org.nelumbo.simulation.shrink.Shrinker;
import org.nelumbo.simulation.trace.Trace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim shrink}: makes a failing run of a scenario small and prints the command that
 * repeats it. Exit status 0 if the run fails, 1 if it does not, 2 for wrong usage.
 */
@Command(
    name = "shrink",
    mixinStandardHelpOptions = true,
    description = "Shortens a failing run: fewer clients, transactions, keys, faults and crashes.")
public final class ShrinkCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--scenario",
      required = true,
      paramLabel = "NAME|FILE",
      description = "scenario that fails")
  private String scenario;

  @Option(names = "--seed", required = true, paramLabel = "S", description = "seed that fails")
  private long seed;

  @Mixin private SettingOptions settings;

  @Option(
      names = "--tries",
      paramLabel = "N",
      description = "number of seeds to try for each smaller scenario (default: ${DEFAULT-VALUE})",
      defaultValue = "20")
  private int tries;

  private final SimMemory memory = new SimMemory();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Scenario loaded = settings.load(scenario, Map.of(), false);
    if (!fails(Map.of(), seed)) {
      out.println("seed " + seed + " of " + scenario + " does not fail");
      out.flush();
      return 1;
    }
    Shrinker.Found found =
        new Shrinker(this::fails, tries).shrink(numbers(loaded), faults(loaded), seed);
    Map<String, String> all = settings.with(found.settings());
    out.println("after " + found.runs() + " runs:");
    out.println(new Shrinker.Found(all, found.seed(), found.runs()).command(scenario));
    out.flush();
    return 0;
  }

  private static Map<String, Integer> numbers(Scenario scenario) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put("transactions", scenario.transactions());
    numbers.put("clients", scenario.workload().clients());
    numbers.put("keys", scenario.workload().keys());
    numbers.put("operations", scenario.workload().operations());
    numbers.put("memory-nodes", scenario.cluster().memoryNodes());
    if (scenario.crashes().count() > 0) {
      numbers.put("crash.count", scenario.crashes().count());
      numbers.put("crash.within", scenario.crashes().within());
    }
    return numbers;
  }

  private static List<String> faults(Scenario scenario) {
    List<String> faults = crashes(scenario.crashes());
    FaultPlan plan = scenario.faults();
    if (plan.stops() > 0) {
      faults.add("fault.stop.count");
    }
    if (plan.pauseEvery() > 0) {
      faults.add("fault.pause.every");
    }
    if (plan.lossChance() > 0) {
      faults.add("fault.loss.chance");
    }
    if (plan.delayChance() > 0) {
      faults.add("fault.delay.chance");
    }
    if (plan.skew() > 0) {
      faults.add("fault.clock.skew");
    }
    if (plan.drift() > 0) {
      faults.add("fault.clock.drift");
    }
    return faults;
  }

  private static List<String> crashes(CrashPlan plan) {
    List<String> faults = new ArrayList<>();
    if (plan.count() > 0) {
      faults.add("crash.count");
      if (plan.recoveryChance() > 0) {
        faults.add("crash.recovery-chance");
      }
      if (plan.how() != CrashPlan.How.STOP) {
        faults.add("crash.how");
      }
    }
    return faults;
  }

  private boolean fails(Map<String, String> smaller, long itsSeed) {
    Scenario smallerOne = settings.load(scenario, smaller, false);
    return !new ScenarioRun(smallerOne, memory).run(itsSeed, Trace.hashing()).isOk();
  }
}
