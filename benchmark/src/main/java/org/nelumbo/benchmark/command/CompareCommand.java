package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.Benchmark;
import org.nelumbo.benchmark.console.BenchmarkConsole;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.peer.Peer;
import org.nelumbo.benchmark.peer.Peers;
import org.nelumbo.benchmark.report.HtmlReport;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The command {@code nelumbo bench compare}: runs every benchmark on every available peer, in turn.
 */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Runs the benchmarks on all available databases in turn, each run in its own process, and"
            + " compares the results.")
final class CompareCommand implements Callable<Integer> {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Spec private CommandSpec spec;
  @Mixin private CompareOptions options;

  private BenchmarkConsole console;

  @Override
  public Integer call() throws InterruptedException {
    console = new BenchmarkConsole(spec.commandLine().getOut(), spec.commandLine().getErr());
    if (options.rounds < 1 || options.terminals.stream().anyMatch(n -> n < 1)) {
      throw new ParameterException(
          spec.commandLine(), "--rounds and --terminals must be at least 1");
    }
    checkLimit();
    List<String> benchmarks = benchmarks();
    checkPassed(benchmarks);
    try {
      Path scratch = scratch();
      try {
        return compare(benchmarks, scratch.toString());
      } finally {
        delete(scratch);
      }
    } catch (IOException e) {
      console.error(e.getMessage());
      return ExitStatus.FAILED;
    }
  }

  private void checkLimit() {
    try {
      if (options.limit().isZero()) {
        throw new ParameterException(spec.commandLine(), "--timeout must be more than 0");
      }
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Checked once, instead of in the run of each database. */
  private void checkPassed(List<String> benchmarks) {
    for (String passed : options.passed) {
      if (!benchmarks.contains(passed.replaceFirst(":.*", ""))) {
        throw new ParameterException(
            spec.commandLine(), "--pass " + passed + ": begin with one of " + benchmarks);
      }
    }
    for (String benchmark : benchmarks) {
      List<String> words = ComparisonRound.words(benchmark, 1, options);
      words.addAll(List.of("--url=jdbc:nelumbo:mem:", "--api=jdbc"));
      try {
        BenchmarkMain.commandLine().parseArgs(words.toArray(String[]::new));
      } catch (ParameterException e) {
        throw new ParameterException(
            spec.commandLine(),
            "--pass "
                + benchmark
                + ":...: "
                + e.getMessage()
                + "; give options of compare itself without --pass",
            e);
      }
    }
  }

  private int compare(List<String> benchmarks, String scratch)
      throws IOException, InterruptedException {
    List<String> notes = new ArrayList<>();
    List<ComparedDatabase> contestants = present(scratch, notes);
    if (contestants.isEmpty()) {
      console.error("no database is available");
      return ExitStatus.NO_DATABASE;
    }
    int runs = benchmarks.size() * options.terminals.size() * options.rounds * contestants.size();
    console.line(
        runs
            + " runs: "
            + benchmarks
            + " on "
            + contestants.stream().map(ComparedDatabase::name).toList()
            + ", each "
            + options.warmup
            + " of warm-up and "
            + options.duration
            + " measured");
    List<RunResult> all = new ArrayList<>();
    List<String> summary = new ArrayList<>();
    int status = ExitStatus.DONE;
    for (String benchmark : benchmarks) {
      Set<String> made = new HashSet<>();
      for (int terminals : options.terminals) {
        ComparisonRound comparisonRound =
            new ComparisonRound(benchmark, terminals, contestants, made, options, console);
        status = Math.max(status, comparisonRound.run());
        all.addAll(comparisonRound.results());
        summary.addAll(comparisonRound.summary());
        notes.addAll(comparisonRound.notes());
      }
    }
    summary.forEach(console::line);
    notes.forEach(note -> console.line("note: " + note));
    if (all.isEmpty()) {
      return ExitStatus.FAILED;
    }
    HtmlReport.Frame frame =
        new HtmlReport.Frame(String.join(", ", benchmarks) + " side by side", command(), notes);
    ResultFiles.write(all, frame, options.output.json, options.output.html);
    return status;
  }

  private List<String> benchmarks() {
    List<String> measuring =
        Benchmarks.all().stream()
            .filter(Benchmarks::measuresDatabases)
            .map(Benchmark::name)
            .toList();
    for (String name : options.benchmarks) {
      if (!measuring.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "there is no benchmark '" + name + "'; there are " + measuring);
      }
    }
    return options.benchmarks.isEmpty() ? measuring : options.benchmarks;
  }

  private List<ComparedDatabase> present(String scratch, List<String> notes) {
    List<Peer> known =
        Peers.all().stream().map(p -> p.at(options.urls.getOrDefault(p.name(), p.url()))).toList();
    List<String> names = known.stream().map(Peer::name).toList();
    List<String> asked = new ArrayList<>(options.peers);
    asked.addAll(options.urls.keySet());
    for (String name : asked) {
      if (!names.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "there is no peer '" + name + "'; there are " + names);
      }
    }
    List<ComparedDatabase> contestants = new ArrayList<>();
    for (Peer peer : known) {
      if (!options.peers.isEmpty() && !options.peers.contains(peer.name())) {
        continue;
      }
      try {
        ComparedDatabase.reach(peer, scratch);
        contestants.addAll(ComparedDatabase.of(peer, scratch));
      } catch (SQLException e) {
        String url = new DatabaseUrl(peer.url()).masked();
        notes.add(peer.name() + " was not measured: " + e.getMessage() + " (" + url + ")");
      }
    }
    return contestants;
  }

  private String command() {
    List<String> words = new ArrayList<>(List.of("./nelumbo", "bench", "compare"));
    CommandLine.ParseResult given = spec.commandLine().getParseResult();
    given
        .matchedOptionsSet()
        .forEach(
            option -> {
              String name = option.longestName();
              if (!List.of("--seed", "--peer").contains(name)) {
                option.originalStringValues().forEach(value -> words.add(name + "=" + value));
              }
            });
    options.urls.forEach(
        (name, url) -> words.add("--peer=" + name + "=" + new DatabaseUrl(url).masked()));
    words.add("--seed=" + options.output.seed());
    return CommandLines.joined(words);
  }

  /** Memory is preferred, because otherwise the measurement would be of the disk. */
  private static Path scratch() throws IOException {
    return Files.isWritable(SHARED_MEMORY)
        ? Files.createTempDirectory(SHARED_MEMORY, "nelumbo-compare")
        : Files.createTempDirectory("nelumbo-compare");
  }

  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
