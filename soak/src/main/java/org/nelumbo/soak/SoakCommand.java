package org.nelumbo.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.nelumbo.cli.DurationConverter;
import org.nelumbo.soak.crash.CrashCommand;
import org.nelumbo.soak.death.DeathCommand;
import org.nelumbo.soak.report.SoakReport;
import org.nelumbo.soak.rounds.ClusterCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo soak}: runs the parts in turn until the time is over, and writes one report. Exit
 * status 0 if every check passed, 1 if one failed, 2 for wrong usage.
 */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    subcommands = {ClusterCommand.class, CrashCommand.class, DeathCommand.class},
    description = {
      "Runs all seeded searches for defects in turn, for the given time: cluster and",
      "shared (faults on real processes), crash (crash points of real runs), simulation,",
      "flushes, appends, sql, fuzz. Writes one report."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final int TAIL_LINES = 60;
  private static final int SEED_BOUND = 1_000_000_000;
  private static final long SECONDS_MIN = 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "total time, such as 30m or 8h (default: ${DEFAULT-VALUE})",
      converter = DurationConverter.class,
      defaultValue = "1h")
  private Duration time;

  @Option(
      names = "--slice",
      paramLabel = "TIME",
      description = "time of each part in its turn (default: ${DEFAULT-VALUE})",
      converter = DurationConverter.class,
      defaultValue = "5m")
  private Duration slice;

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      description = "parts to run (default: all)")
  private List<String> parts = List.of();

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "seed of the seeds of all slices (default: random, printed)")
  private Long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "file of the report, rewritten after each slice (default: ${DEFAULT-VALUE})",
      defaultValue = "soak.md")
  private Path page;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Part> chosen = chosen();
    Path home = Path.of(System.getProperty("nelumbo.home", ".")).toAbsolutePath().normalize();
    if (!Files.isExecutable(home.resolve("nelumbo"))) {
      throw new ParameterException(
          spec.commandLine(), "soak must run from a checkout: there is no nelumbo in " + home);
    }
    long first = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    PrintWriter out = spec.commandLine().getOut();
    out.println("seed=" + first);
    Random random = new Random(first);
    SoakReport report = new SoakReport();
    long until = System.nanoTime() + time.toNanos();
    for (int turn = 0; System.nanoTime() < until; turn++) {
      Part part = chosen.get(turn % chosen.size());
      long left = Duration.ofNanos(until - System.nanoTime()).toSeconds();
      long seconds = Math.max(SECONDS_MIN, Math.min(slice.toSeconds(), left));
      run(part, part.command(home, random.nextInt(SEED_BOUND), seconds), report);
      Files.writeString(page, report.markdown());
    }
    out.println(report.markdown());
    out.flush();
    return report.isClean() ? 0 : 1;
  }

  private List<Part> chosen() {
    List<Part> all = List.of(Part.values());
    if (parts.isEmpty()) {
      return all;
    }
    List<Part> chosen = new ArrayList<>();
    for (String word : parts) {
      chosen.add(
          all.stream()
              .filter(part -> part.word().equals(word))
              .findAny()
              .orElseThrow(() -> unknown(word)));
    }
    return chosen;
  }

  private ParameterException unknown(String word) {
    return new ParameterException(
        spec.commandLine(),
        "'"
            + word
            + "' is not a part; there are "
            + Arrays.stream(Part.values()).map(Part::word).collect(Collectors.joining(", ")));
  }

  private void run(Part part, List<String> command, SoakReport report)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    String text = String.join(" ", command);
    out.println(text);
    out.flush();
    long began = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    List<String> output;
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      output = reader.lines().toList();
    }
    int status = process.waitFor();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    report.add(part.word(), text, status, took, output, TAIL_LINES);
    output.stream().filter(line -> line.startsWith("RESULT ")).forEach(out::println);
    if (status != 0) {
      out.println("FAILED with status " + status);
    }
    out.flush();
  }
}
