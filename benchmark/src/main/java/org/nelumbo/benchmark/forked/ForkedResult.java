package org.nelumbo.benchmark.forked;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.cli.ExitStatus;

/**
 * The result of a run in a process of its own.
 *
 * @param status exit status of the process
 * @param tookTooLong true if it was killed at its time limit, without any result
 * @param results one result, or none if the process ended before it wrote one
 */
public record ForkedResult(int status, boolean tookTooLong, List<RunResult> results) {
  /**
   * Runs a benchmark and reads its result.
   *
   * @param main main class of the process
   * @param words command line after {@code bench}, without {@code --json}
   * @param password password of the database, or null
   * @param limit time limit, or null
   */
  public static ForkedResult of(Class<?> main, List<String> words, String password, Duration limit)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("nelumbo-bench", ".json");
    try {
      List<String> line = new ArrayList<>(words);
      line.addAll(List.of("--json", file.toString()));
      OptionalInt status = ForkedRun.run(main, line, password, limit);
      if (status.isEmpty()) {
        return new ForkedResult(ExitStatus.FAILED, true, List.of());
      }
      return new ForkedResult(
          status.getAsInt(),
          false,
          Files.size(file) > 0 ? JsonReport.read(file) : List.<RunResult>of());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Returns true if the run was complete, consistent or not. */
  public boolean complete() {
    return !results.isEmpty() && (status == ExitStatus.DONE || status == ExitStatus.FAILED);
  }
}
