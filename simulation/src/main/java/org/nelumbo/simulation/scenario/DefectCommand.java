package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.nelumbo.simulation.instrument.Defect;
import org.nelumbo.simulation.instrument.InstrumentedLoader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim defects}: puts known defects back into the engine, one at a time, and searches
 * for a seed that finds each. Exit status 0 if all are found, 1 if not.
 */
@Command(
    name = "defects",
    mixinStandardHelpOptions = true,
    description =
        "Inserts known defects into the engine, and searches for a seed that finds each of them.")
public final class DefectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "defect to insert; can be repeated (default: all)")
  private List<String> names = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "number of seeds to try for each defect (default: ${DEFAULT-VALUE})")
  private long seeds;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "first seed (default: ${DEFAULT-VALUE})")
  private long from;

  @Option(names = "--list", description = "list the effects of the defects, and exit")
  private boolean list;

  @Option(names = "--messages", description = "print the violated conditions")
  private boolean messages;

  /**
   * Returns a function that runs seeds with a defect that the loader has planted, enabled or not.
   *
   * @return the function from a seed to the failure, or to null if every check passed
   */
  public static LongFunction<String> runner(ClassLoader loader, Defect defect, boolean on) {
    return SeedRunner.in(loader, defect.scenario(), defect.settings(), on ? defect.number() : 0);
  }

  /**
   * Loads the engine with defects planted. Lines have probes only for scenarios that inject
   * throwables: in all other scenarios the probes would take a fifth of the time.
   *
   * @return the class loader for each defect
   */
  public static Function<Defect, ClassLoader> load(List<Defect> defects) {
    Map<Boolean, List<Defect>> byThrowing =
        defects.stream().collect(Collectors.partitioningBy(DefectCommand::throwsSomething));
    Map<Boolean, ClassLoader> loaders = new HashMap<>();
    byThrowing.forEach(
        (probes, those) -> {
          if (!those.isEmpty()) {
            loaders.put(probes, new InstrumentedLoader(probes, those));
          }
        });
    return defect -> loaders.get(throwsSomething(defect));
  }

  private static boolean throwsSomething(Defect defect) {
    try {
      return SeedRunner.throwsSomething(defect.scenario(), defect.settings());
    } catch (IOException e) {
      throw new UncheckedIOException("scenario " + defect.scenario() + " cannot be read", e);
    }
  }

  /**
   * Returns the first of a number of seeds that finds a defect.
   *
   * @param runner runs seeds on the engine with the defect
   * @return the seed and its failure, or null if no seed finds the defect
   */
  public static Finding search(LongFunction<String> runner, long from, long seeds) {
    for (long seed = from; seed < from + seeds; seed++) {
      String message = runner.apply(seed);
      if (message != null) {
        return new Finding(seed, message);
      }
    }
    return null;
  }

  /**
   * A seed that has found a defect.
   *
   * @param message description of the failure
   */
  public record Finding(long seed, String message) {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Defect> defects =
        names.isEmpty() ? Defect.all() : names.stream().map(Defect::named).toList();
    if (list) {
      defects.forEach(each -> printDescription(out, each));
      out.flush();
      return 0;
    }
    Function<Defect, ClassLoader> loaders = load(defects);
    int missed = 0;
    out.printf("%-24s %-60s %8s%n", "defect", "scenario", "seed");
    for (Defect defect : defects) {
      Finding finding = search(runner(loaders.apply(defect), defect, true), from, seeds);
      missed += finding == null ? 1 : 0;
      out.printf(
          "%-24s %-60s %8s%n",
          defect.name(), scenarioOf(defect), finding == null ? "-" : "" + finding.seed());
      if (messages && finding != null) {
        out.println(finding.message().lines().findFirst().orElse(""));
      }
      out.flush();
    }
    out.printf("RESULT defects=%d missed=%d%n", defects.size(), missed);
    out.flush();
    return missed == 0 ? 0 : 1;
  }

  private static void printDescription(PrintWriter out, Defect defect) {
    out.printf(
        "%-24s %-7s %s%n%32s %s%n",
        defect.name(),
        defect.often() ? "often" : "rarely",
        scenarioOf(defect),
        "",
        defect.breaks());
  }

  private static String scenarioOf(Defect defect) {
    return defect.settings().isEmpty()
        ? defect.scenario()
        : defect.scenario() + " " + defect.settings();
  }
}
