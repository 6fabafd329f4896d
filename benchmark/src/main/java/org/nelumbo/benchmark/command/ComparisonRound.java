package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.nelumbo.benchmark.console.BenchmarkConsole;
import org.nelumbo.benchmark.forked.ForkedResult;
import org.nelumbo.benchmark.report.Comparison;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.cli.ExitStatus;

/**
 * One benchmark with one number of terminals on all databases, in several rounds. Each round begins
 * with the next database. A database that cannot run the benchmark is excluded after its first
 * attempt, with a note.
 */
final class ComparisonRound {
  private final String benchmark;
  private final int terminals;
  private final List<ComparedDatabase> contestants;
  private final CompareOptions options;
  private final BenchmarkConsole console;
  private final Map<ComparedDatabase, List<RunResult>> results = new LinkedHashMap<>();
  private final Set<ComparedDatabase> failed = new LinkedHashSet<>();
  private final Set<String> made;
  private final List<String> notes = new ArrayList<>();

  /**
   * Creates a comparison that has not begun.
   *
   * @param made URLs at which this comparison has created the tables of the benchmark, and may
   *     therefore drop them; successful runs add to it
   */
  ComparisonRound(
      String benchmark,
      int terminals,
      List<ComparedDatabase> contestants,
      Set<String> made,
      CompareOptions options,
      BenchmarkConsole console) {
    this.made = made;
    this.benchmark = benchmark;
    this.terminals = terminals;
    this.contestants = contestants;
    this.options = options;
    this.console = console;
    contestants.forEach(each -> results.put(each, new ArrayList<>()));
  }

  /** Runs all rounds; returns one of {@link ExitStatus}. */
  int run() throws IOException, InterruptedException {
    int status = ExitStatus.DONE;
    for (int round = 0; round < options.rounds; round++) {
      for (int turn = 0; turn < contestants.size(); turn++) {
        ComparedDatabase comparedDatabase = contestants.get((round + turn) % contestants.size());
        if (!failed.contains(comparedDatabase)) {
          console.line(
              String.format(
                  "== %s, %d terminals, round %d of %d: %s",
                  benchmark, terminals, round + 1, options.rounds, comparedDatabase.name()));
          status = Math.max(status, measure(comparedDatabase));
        }
      }
    }
    return status;
  }

  private int measure(ComparedDatabase comparedDatabase) throws IOException, InterruptedException {
    ForkedResult forkedResult =
        ForkedResult.of(BenchmarkMain.class, words(comparedDatabase), null, options.limit());
    if (!forkedResult.complete()) {
      failed.add(comparedDatabase);
      String why =
          forkedResult.tookTooLong()
              ? "its run took too long (more than " + options.limit().toSeconds() + " s)"
              : "its run ended with status " + forkedResult.status();
      notes.add(
          String.format(
              "%s with %d terminals was not measured on %s: %s",
              benchmark, terminals, comparedDatabase.name(), why));
      return ExitStatus.FAILED;
    }
    made.add(comparedDatabase.url().text());
    results.get(comparedDatabase).addAll(forkedResult.results());
    return forkedResult.status();
  }

  private List<String> words(ComparedDatabase comparedDatabase) {
    List<String> words = words(benchmark, terminals, options);
    words.add("--url=" + comparedDatabase.url().text());
    words.add("--api=" + comparedDatabase.api());
    if (options.output.replace || made.contains(comparedDatabase.url().text())) {
      words.add("--replace");
    }
    return words;
  }

  /** Returns the command line of a run, without the database. */
  static List<String> words(String benchmark, int terminals, CompareOptions options) {
    List<String> words = new ArrayList<>(List.of(benchmark));
    words.add("--terminals=" + terminals);
    words.add("--warmup=" + options.warmup);
    words.add("--duration=" + options.duration);
    words.add("--isolation=" + options.isolation);
    words.add("--seed=" + options.output.seed());
    words.addAll(options.passedTo(benchmark));
    return words;
  }

  /** Returns all results, grouped by database. */
  List<RunResult> results() {
    return results.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the lines of the table. */
  List<String> summary() {
    Comparison comparison = new Comparison();
    results.forEach(
        (comparedDatabase, runs) -> runs.forEach(r -> comparison.add(comparedDatabase.name(), r)));
    if (comparison.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(List.of("", benchmark + ", terminals: " + terminals));
    lines.addAll(comparison.lines());
    return lines;
  }

  /** Returns notes on failed measurements. */
  List<String> notes() {
    return notes;
  }
}
