package org.nelumbo.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.cli.ExitStatus;

/**
 * Runs a benchmark for longer and longer until it has done what a test is going to look at. How
 * much is done in a moment is up to the machine: a busy one may do nothing, or so little that
 * shares and means say nothing.
 */
public final class LongerRuns {
  private static final int FACTOR = 4;
  private static final long LONGEST_MILLIS = 40_000;

  private final Path json;
  private final TypedCommand command;

  /**
   * Runs of a benchmark's command that all have to end well; the command has the output of the last
   * one.
   *
   * @param directory for their results
   */
  public LongerRuns(Path directory, TypedCommand command) {
    this.json = directory.resolve("longer-runs.json");
    this.command = command;
  }

  /**
   * The result of the first run that did enough, or of the longest one.
   *
   * @param millis how long the first run lasts, in milliseconds
   * @param options of every run, in which {@code DIRECTORY} stands for the directory of results;
   *     duration and file are added
   */
  public RunResult until(Predicate<RunResult> enough, long millis, String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(options));
    words.replaceAll(option -> option.replace("DIRECTORY", json.getParent().toString()));
    words.add("--json=" + json);
    run(words, millis);
    RunResult result = read();
    words.add("--replace");
    for (long longer = FACTOR * millis;
        longer <= LONGEST_MILLIS && !enough.test(result);
        longer *= FACTOR) {
      words.replaceAll(LongerRuns::another);
      run(words, longer);
      result = read();
    }
    return result;
  }

  /** What HSQLDB has in memory is there until the process ends, and a run wants nothing there. */
  private static String another(String option) {
    return option.replace("jdbc:hsqldb:mem:", "jdbc:hsqldb:mem:another_");
  }

  private void run(List<String> options, long millis) {
    List<String> words = new ArrayList<>(options);
    words.add("--duration=" + millis + "ms");
    command.forgetOutput();
    int status = command.run(words.toArray(String[]::new));
    assertEquals(ExitStatus.DONE, status, command::toString);
  }

  private RunResult read() throws IOException {
    return JsonReport.read(json).getLast();
  }

  /** Whether every type of transaction was counted that often. */
  public static Predicate<RunResult> counting(long transactions) {
    return result -> result.costs().stream().allMatch(cost -> cost.transactions() >= transactions);
  }

  /** Whether so many transactions of all types committed. */
  public static Predicate<RunResult> committing(long transactions) {
    return result -> result.total().committed() >= transactions;
  }
}
