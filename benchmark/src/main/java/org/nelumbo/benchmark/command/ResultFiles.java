package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.nelumbo.benchmark.report.HtmlReport;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.RunResult;

/** Writes results to the files that the user named. */
final class ResultFiles {
  private ResultFiles() {}

  /**
   * Writes the files that are not null.
   *
   * @throws IOException with a message for the user
   */
  static void write(List<RunResult> runs, HtmlReport.Frame frame, Path json, Path html)
      throws IOException {
    Path current = json;
    try {
      if (json != null) {
        JsonReport.write(json, runs);
      }
      current = html;
      if (html != null) {
        HtmlReport.write(html, frame, runs);
      }
    } catch (IOException e) {
      throw new IOException("cannot write " + current + ": " + e.getMessage(), e);
    }
  }
}
