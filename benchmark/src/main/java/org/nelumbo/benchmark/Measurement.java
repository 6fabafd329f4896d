package org.nelumbo.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.RunResult;

/**
 * What a run in a process of its own came to.
 *
 * @param status its exit status
 * @param results one, or none if it did not get that far
 */
record Measurement(int status, List<RunResult> results) {
  /**
   * Runs a benchmark and reads its result.
   *
   * @param words of the command line after {@code bench}, without {@code --json}
   * @param password of the database, or null
   */
  static Measurement of(List<String> words, String password)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("nelumbo-bench", ".json");
    try {
      List<String> line = new ArrayList<>(words);
      line.addAll(List.of("--json", file.toString()));
      int status = ForkedRun.run(line, password);
      return new Measurement(
          status, Files.size(file) > 0 ? JsonReport.read(file) : List.<RunResult>of());
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Whether it ran to its end, consistent or not. */
  boolean complete() {
    return !results.isEmpty() && (status == ExitStatus.DONE || status == ExitStatus.FAILED);
  }
}
