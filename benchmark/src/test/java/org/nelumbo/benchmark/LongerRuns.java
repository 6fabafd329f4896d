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
 * Repeats a benchmark with increasing durations until it has done as much as a test needs. The
 * machine determines how much a short run does: on a busy one it may do nothing, or so little that
 * shares and means are meaningless.
 */
public final class LongerRuns {
  private static final int FACTOR = 4;
  private static final long LONGEST_MILLIS = 40_000;

  private final Path json;
  private final TypedCommand command;

  /**
   * Creates runs of a benchmark command, all of which must succeed. The command has the output of
   * the last one.
   *
   * @param directory directory for their results
   */
  public LongerRuns(Path directory, TypedCommand command) {
    this.json = directory.resolve("longer-runs.json");
    this.command = command;
  }

  /**
   * Returns the result of the first run that did enough, or of the longest run.
   *
   * @param millis duration of the first run, in milliseconds
   * @param options options of every run, in which {@code DIRECTORY} stands for the directory of
   *     results; duration and file are added
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

  /**
   * Replaces the name of an HSQLDB database in memory: it exists until the process ends, and each
   * run needs an empty one.
   */
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

  /** Returns true if every type of transaction was counted at least that often. */
  public static Predicate<RunResult> counting(long transactions) {
    return result -> result.costs().stream().allMatch(cost -> cost.transactions() >= transactions);
  }

  /** Returns true if at least that many transactions of all types committed. */
  public static Predicate<RunResult> committing(long transactions) {
    return result -> result.total().committed() >= transactions;
  }
}
