package org.nelumbo.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.RunResult;

/**
 * Runs a benchmark for longer and longer until it has done what a test is going to look at. How
 * much is done in a moment is up to the machine: a busy one may do nothing, or so little that
 * shares and means say nothing.
 */
public final class LongerRuns {
  private static final int FACTOR = 4;
  private static final long LONGEST_MILLIS = 40_000;

  private final Path json;

  /** A run of a benchmark that has to end well. */
  public interface Run {
    void run(List<String> options);
  }

  /**
   * Runs that write their results there.
   *
   * @param json a file that is not there yet
   */
  public LongerRuns(Path json) {
    this.json = json;
  }

  /**
   * The result of the first run that did enough, or of the longest one.
   *
   * @param millis how long the first run lasts, in milliseconds
   * @param options of every run; duration and file are added
   */
  public RunResult until(Predicate<RunResult> enough, long millis, Run run, String... options)
      throws IOException {
    List<String> words = new ArrayList<>(List.of(options));
    words.add("--json=" + json);
    run(run, words, millis);
    RunResult result = read();
    words.add("--replace");
    for (long longer = FACTOR * millis;
        longer <= LONGEST_MILLIS && !enough.test(result);
        longer *= FACTOR) {
      words.replaceAll(LongerRuns::another);
      run(run, words, longer);
      result = read();
    }
    return result;
  }

  /** What HSQLDB has in memory is there until the process ends, and a run wants nothing there. */
  private static String another(String option) {
    return option.replace("jdbc:hsqldb:mem:", "jdbc:hsqldb:mem:another_");
  }

  private static void run(Run run, List<String> options, long millis) {
    List<String> words = new ArrayList<>(options);
    words.add("--duration=" + millis + "ms");
    run.run(words);
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
