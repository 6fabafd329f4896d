package org.nelumbo.soak.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a soak: a table of parts, and a section for each failure. Not thread-safe. */
public final class SoakReport {
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final List<Failure> failures = new ArrayList<>();

  private static final class Row {
    private final ResultSums sums = new ResultSums();
    private int slices;
    private int failed;
    private Duration time = Duration.ZERO;
  }

  private record Failure(String part, String command, int status, List<String> tail) {}

  /**
   * Adds a slice.
   *
   * @param command command that repeats it
   * @param status 0 if every check passed
   * @param output all output lines
   */
  public void add(
      String part, String command, int status, Duration time, List<String> output, int tailLines) {
    Row row = rows.computeIfAbsent(part, _ -> new Row());
    row.slices++;
    row.time = row.time.plus(time);
    output.forEach(row.sums::add);
    if (status != 0) {
      row.failed++;
      List<String> tail = output.subList(Math.max(0, output.size() - tailLines), output.size());
      failures.add(new Failure(part, command, status, List.copyOf(tail)));
    }
  }

  /** Returns true if every slice ended with status 0. */
  public boolean isClean() {
    return failures.isEmpty();
  }

  /** Returns the report as a page in Markdown. */
  public String markdown() {
    StringBuilder page = new StringBuilder("# Soak\n\n");
    page.append("| part | slices | failed | minutes | totals |\n| --- | --- | --- | --- | --- |\n");
    rows.forEach(
        (part, row) ->
            page.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %.1f | %s |%n",
                    part,
                    row.slices,
                    row.failed,
                    row.time.toSeconds() / 60.0,
                    row.sums)));
    for (Failure failure : failures) {
      page.append("\n## ").append(failure.part()).append(" failed\n\n");
      page.append("Exit status ").append(failure.status()).append(". Again:\n\n```\n");
      page.append(failure.command()).append("\n```\n\nThe end of its output:\n\n```\n");
      failure.tail().forEach(line -> page.append(line).append('\n'));
      page.append("```\n");
    }
    return page.toString();
  }
}
