package org.nelumbo.simulation.scenario;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
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

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Defect> defects =
        names.isEmpty() ? Defect.all() : names.stream().map(Defect::named).toList();
    ClassLoader loader = new InstrumentedLoader(true, defects);
    int missed = 0;
    out.printf("%-24s %-60s %6s %6s%n", "defect", "scenario", "found", "of");
    for (Defect defect : defects) {
      LongFunction<String> runner = runner(loader, defect, true);
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
