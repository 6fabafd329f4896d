package org.nelumbo.simulation.run;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim NAME}: runs with faults over many seeds. Exit status 0 if every check passed,
 * 1 if one failed.
 */
@Command(mixinStandardHelpOptions = true)
public final class FaultCommand implements Callable<Integer> {
  private static final int SEED_BOUND = 1_000_000_000;

  private final FaultSeeds run;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "number of seeds (default: ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private long seeds;

  @Option(names = "--seed", paramLabel = "S", description = "first seed (default: random, printed)")
  private Long seed;

  public FaultCommand(FaultSeeds run) {
    this.run = run;
  }

  @Override
  public Integer call() {
    String name = spec.name();
    if (seeds < 1) {
      throw new ParameterException(spec.commandLine(), "--seeds must be at least 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    long first = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    int violations = 0;
    for (long each = first; each < first + seeds; each++) {
      String failure = run.apply(each);
      if (failure != null) {
        violations++;
        out.println(failure);
        out.println("  replay: nelumbo sim " + name + " --seed " + each + " --seeds 1");
      }
    }
    out.printf(
        "RESULT scenario=%s seed=%d seeds=%d violations=%d %s%n",
        name, first, seeds, violations, run.totals());
    out.flush();
    return violations == 0 ? 0 : 1;
  }
}
