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
 * {@code nelumbo sim defects}: puts known defects back into the engine, one at a time, and looks
 * for the seed that finds each. Exit status 0 if all are found within their seeds, 1 if not.
 */
@Command(
    name = "defects",
    mixinStandardHelpOptions = true,
    description = "Puts known defects into the engine, and says which seed finds each.")
public final class DefectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "one of them; may be repeated (default: all)")
  private List<String> names = List.of();

  @Option(names = "--messages", description = "print what did not hold")
  private boolean messages;

  /**
   * Runs seeds with one of the defects that a loader has planted.
   *
   * @return what did not hold with a seed, null if all did
   */
  public static LongFunction<String> runner(ClassLoader loader, Defect defect, boolean on) {
    return SeedRunner.in(loader, defect.scenario(), defect.settings(), on ? defect.number() : 0);
  }

  /**
   * Loads the engine with defects planted. Only where something is thrown do its lines have probes:
   * they would take a fifth of the time of all others.
   *
   * @return what has loaded the engine for a defect
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

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Defect> defects =
        names.isEmpty() ? Defect.all() : names.stream().map(Defect::named).toList();
    Function<Defect, ClassLoader> loaders = load(defects);
    int missed = 0;
    out.printf("%-24s %-60s %6s %6s%n", "defect", "scenario", "found", "of");
    for (Defect defect : defects) {
      LongFunction<String> runner = runner(loaders.apply(defect), defect, true);
      String message = null;
      long seed = defect.firstSeed() - 1;
      while (message == null && seed < defect.lastSeed()) {
        message = runner.apply(++seed);
      }
      missed += message == null ? 1 : 0;
      out.printf(
          "%-24s %-60s %6s %6d%n",
          defect.name(),
          defect.scenario() + " " + defect.settings(),
          message == null ? "-" : Long.toString(seed),
          defect.lastSeed());
      if (messages && message != null) {
        out.println(message.lines().findFirst().orElse(""));
      }
      out.flush();
    }
    out.printf("RESULT defects=%d missed=%d%n", defects.size(), missed);
    out.flush();
    return missed == 0 ? 0 : 1;
  }
}
