package org.nelumbo.simulation.locks;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim locks}: locks on many compute nodes over many seeds. Exit status 0 if
 * everything held, 1 if something did not.
 */
@Command(
    name = "locks",
    mixinStandardHelpOptions = true,
    description = "Has transactions lock on compute nodes that die, over a network that loses.")
public final class LocksCommand implements Callable<Integer> {
  private static final int SEED_BOUND = 1_000_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "how many seeds (default: ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private long seeds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "the first seed (default: a random one, printed)")
  private Long seed;

  @Override
  public Integer call() {
    if (seeds < 1) {
      throw new ParameterException(spec.commandLine(), "--seeds is at least 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    long first = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    LocksRun run = new LocksRun();
    int violations = 0;
    for (long each = first; each < first + seeds; each++) {
      String failure = run.apply(each);
      if (failure != null) {
        violations++;
        out.println(failure);
        out.println("  replay: nelumbo sim locks --seed " + each + " --seeds 1");
      }
    }
    out.printf(
        "RESULT scenario=locks seed=%d seeds=%d violations=%d %s%n",
        first, seeds, violations, run.totals());
    out.flush();
    return violations == 0 ? 0 : 1;
  }
}
