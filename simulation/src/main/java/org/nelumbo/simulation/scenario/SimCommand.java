package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.figure.FigureCommand;
import org.nelumbo.simulation.instrument.InstrumentedLoader;
import org.nelumbo.simulation.litmus.LitmusCommand;
import org.nelumbo.simulation.scale.ScaleCommand;
import org.nelumbo.simulation.trace.Trace;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim}: runs scenarios over many seeds. Exit status 0 if every check passed, 1 if
 * one failed, 2 for wrong usage.
 */
@Command(
    name = "sim",
    mixinStandardHelpOptions = true,
    subcommands = {
      CheckCommand.class,
      LitmusCommand.class,
      ShrinkCommand.class,
      DefectCommand.class,
      ScaleCommand.class,
      FigureCommand.class
    },
    modelTransformer = FaultScenario.Commands.class,
    description = {
      "Runs a whole cluster in one thread for each of many seeds, and checks the results.",
      "docs/internals/simulator.md describes the scenarios."
    })
public final class SimCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int VIOLATION = 1;
  private static final long DEFAULT_SEEDS = 100;
  private static final int SEED_BOUND = 1_000_000_000;

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  @Spec private CommandSpec spec;

  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      split = ",",
      description = "scenarios separated by commas, or 'all' (default: ${DEFAULT-VALUE})",
      defaultValue = "bank")
  private List<String> scenario;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "number of seeds (default: 1 with --seed, otherwise 100)")
  private Long seeds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "first seed of a consecutive range (default: random, printed)")
  private Long seed;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "write the event trace of a single seed to a file, or '-' for standard output")
  private String trace;

  @Option(
      names = "--fabric",
      paramLabel = "PRESET",
      description = "model of the network: lotus-56g, pandora-100g, cxl, tcp or local")
  private String fabric;

  @Mixin private SettingOptions settings;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "number of simulations that run in parallel (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private int threads;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = {
        "continue with the next seeds, round by round, until this many transactions have been",
        "committed in all scenarios together"
      })
  private long transactions;

  @Option(
      names = "--adverse",
      description = "add a long transaction and slow engine threads to each simulation")
  private boolean adverse;

  @Option(names = "--keep-going", description = "continue after a seed has failed")
  private boolean keepGoing;

  private Consumer<Map<String, Long>> sums = _ -> {};

  @Option(names = "--list", description = "list the scenarios and exit")
  private boolean list;

  @Override
  public Integer call() throws Exception {
    if (list) {
      listScenarios();
      return OK;
    }
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "off"); // the engine logs every injected fault
    }
    long first = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    long count = seeds != null ? seeds : seed != null ? 1 : DEFAULT_SEEDS;
    check(count);
    List<String> names = scenario.equals(List.of("all")) ? Scenario.NAMES : scenario;
    List<Scenario> scenarios =
        names.stream().map(name -> settings.load(name, fabricSetting(), adverse)).toList();
    if (trace == null) {
      return soakAll(scenarios, first, count);
    }
    return isRunHere(scenarios.getFirst())
        ? traceOne(scenarios.getFirst(), first)
        : inside(newInstrumented(), scenarios, first, 1, _ -> {});
  }

  private int soakAll(List<Scenario> scenarios, long first, long count) throws Exception {
    SoakTotals all = new SoakTotals();
    List<Scenario> here = scenarios.stream().filter(SimCommand::isRunHere).toList();
    List<Scenario> throwing = scenarios.stream().filter(each -> !isRunHere(each)).toList();
    ClassLoader instrumented = throwing.isEmpty() ? null : newInstrumented();
    long start = System.nanoTime();
    int status = OK;
    long from = first;
    do {
      for (Scenario loaded : here) {
        status |= soak(loaded, from, count, scenarios.size() == 1, all);
      }
      if (instrumented != null) {
        status |= inside(instrumented, throwing, from, count, all::addAll);
      }
      from += count;
    } while (all.committed() < transactions && (status == OK || keepGoing));
    sums.accept(all.counts());
    if (scenarios.size() > 1 && !InstrumentedLoader.isInside(SimCommand.class)) {
      SoakSummary report = SoakSummary.ofAll(first, all, System.nanoTime() - start);
      report.table(out());
      report.result(out());
      out().flush();
    }
    return status;
  }

  private static boolean isRunHere(Scenario each) {
    return !each.faults().throwsSomething() || InstrumentedLoader.isInside(SimCommand.class);
  }

  private static ClassLoader newInstrumented() {
    return new InstrumentedLoader(true, List.of());
  }

  /** Sets the receiver of the sums of a run. It may belong to another class loader. */
  public void setSums(Consumer<Map<String, Long>> to) {
    sums = to;
  }

  private int inside(
      ClassLoader loader,
      List<Scenario> scenarios,
      long first,
      long count,
      Consumer<Map<String, Long>> to)
      throws ReflectiveOperationException {
    Class<?> type = loader.loadClass(SimCommand.class.getName());
    Object command = type.getDeclaredConstructor().newInstance();
    type.getMethod("setSums", Consumer.class).invoke(command, to);
    List<String> line = new ArrayList<>();
    line.add("--scenario=" + String.join(",", scenarios.stream().map(Scenario::name).toList()));
    line.add("--seed=" + first);
    line.add("--seeds=" + count);
    line.add("--threads=" + threads);
    if (keepGoing) {
      line.add("--keep-going");
    }
    if (adverse) {
      line.add("--adverse");
    }
    if (trace != null) {
      line.add("--trace=" + trace);
    }
    settings.with(fabricSetting()).forEach((key, value) -> line.add("--set=" + key + "=" + value));
    CommandLine own = spec.commandLine();
    return new CommandLine(command)
        .setOut(own.getOut())
        .setErr(own.getErr())
        .execute(line.toArray(String[]::new));
  }

  private void check(long count) {
    if (count < 1 || threads < 1) {
      throw new ParameterException(spec.commandLine(), "--seeds and --threads must be at least 1");
    }
    if (trace != null
        && (count != 1 || seed == null || scenario.size() > 1 || scenario.contains("all"))) {
      throw new ParameterException(
          spec.commandLine(), "--trace is for one --scenario and one --seed");
    }
  }

  private Map<String, String> fabricSetting() {
    return fabric == null ? Map.of() : Map.of("fabric", fabric);
  }

  private void listScenarios() throws IOException {
    for (String name : Scenario.NAMES) {
      out().printf("  %-15s %s%n", name, Scenario.description(name));
    }
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private int traceOne(Scenario loaded, long first) throws IOException {
    ScenarioResult result;
    if (trace.equals("-")) {
      result = new ScenarioRun(loaded, new SimMemory()).run(first, Trace.to(out()));
    } else {
      try (Writer file = Files.newBufferedWriter(Path.of(trace))) {
        result = new ScenarioRun(loaded, new SimMemory()).run(first, Trace.to(file));
      }
    }
    SoakTotals totals = new SoakTotals();
    totals.add(result);
    if (!result.orphaned().isEmpty()) {
      out().println("State left by the stopped compute nodes:");
      out().print(result.orphaned());
    }
    return report(loaded, first, totals, result.isOk() ? List.of() : List.of(result), 0, true);
  }

  private int soak(Scenario loaded, long first, long count, boolean withTable, SoakTotals all)
      throws InterruptedException {
    Soak soak = new Soak(loaded, first, count, keepGoing);
    long start = System.nanoTime();
    try (SoakProgress progress = new SoakProgress(soak, count)) {
      progress.start();
      soak.run(threads);
    }
    all.addAll(soak.totals().counts());
    long nanos = System.nanoTime() - start;
    return report(loaded, first, soak.totals(), soak.failures(), nanos, withTable);
  }

  private int report(
      Scenario loaded,
      long first,
      SoakTotals totals,
      List<ScenarioResult> failures,
      long wallNanos,
      boolean withTable) {
    SoakSummary report = new SoakSummary(loaded, first, totals, wallNanos);
    for (ScenarioResult failure : failures) {
      report.failure(failure, replay(loaded, failure), out());
    }
    if (withTable) {
      report.table(out());
    }
    report.result(out());
    out().flush();
    return failures.isEmpty() ? OK : VIOLATION;
  }

  private String replay(Scenario loaded, ScenarioResult failure) {
    StringBuilder command = new StringBuilder("./nelumbo sim --scenario ").append(loaded.name());
    settings
        .with(fabricSetting())
        .forEach(
            (key, value) ->
                command.append(" --set '").append(key).append('=').append(value).append('\''));
    return command
        .append(adverse ? " --adverse" : "")
        .append(" --seed ")
        .append(failure.seed())
        .append(" --trace sim-")
        .append(failure.seed())
        .append(".trace")
        .toString();
  }
}
