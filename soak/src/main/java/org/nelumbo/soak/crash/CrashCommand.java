package org.nelumbo.soak.crash;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo soak crash}: opens crash points of real runs. Exit status 0 if every check passed,
 * 1 if one failed, 2 for wrong usage.
 */
@Command(
    name = "crash",
    mixinStandardHelpOptions = true,
    description = {
      "Records the disk operations of databases in files, and opens the states that a power",
      "failure may leave after each prefix: unforced writes are lost, torn, or present",
      "although earlier ones are lost."
    })
public final class CrashCommand implements Callable<Integer> {
  private static final int SEED_BOUND = 1_000_000_000;
  private static final long NANOS = 1_000_000_000L;

  @Spec private CommandSpec spec;

  @Option(names = "--seed", paramLabel = "S", description = "first seed (default: random, printed)")
  private Long seed;

  @Option(
      names = "--points",
      paramLabel = "N",
      description = "crash points of each run (default: ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private int points;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "start further runs for this time; 0: only one run (default: ${DEFAULT-VALUE})",
      defaultValue = "0")
  private long seconds;

  @Override
  public Integer call() throws Exception {
    if (points < 1 || seconds < 0) {
      throw new ParameterException(
          spec.commandLine(), "--points is at least 1, --seconds at least 0");
    }
    PrintWriter out = spec.commandLine().getOut();
    long first = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    long start = System.nanoTime();
    long runs = 0;
    long opened = 0;
    long reopened = 0;
    long restored = 0;
    long transactions = 0;
    int violations = 0;
    do {
      long own = first + runs++;
      Path directory = Files.createTempDirectory("nelumbo-crash-");
      CrashPoints run = new CrashPoints(directory, own);
      try {
        run.record();
        run.open(points);
      } catch (IllegalStateException e) {
        violations++;
        out.println("seed=" + own + ": " + e.getMessage());
      } finally {
        remove(directory);
      }
      opened += run.points();
      reopened += run.reopened();
      restored += run.restored();
      transactions += run.transactions();
    } while (violations == 0 && System.nanoTime() - start < seconds * NANOS);
    out.printf(
        "RESULT seed=%d runs=%d points=%d reopened=%d restored=%d transactions=%d violations=%d%n",
        first, runs, opened, reopened, restored, transactions, violations);
    out.flush();
    return violations == 0 ? 0 : 1;
  }

  private static void remove(Path path) throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
