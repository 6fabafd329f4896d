package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/** A table in plain text: the first column is aligned to the left, the others to the right. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... header) {
    rows.add(List.of(header));
  }

  void row(List<String> cells) {
    if (cells.size() != rows.getFirst().size()) {
      throw new IllegalArgumentException("cells=" + cells.size());
    }
    rows.add(cells);
  }

  /** Returns the lines, with a rule below the header. */
  List<String> lines() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row, widths));
      if (lines.size() == 1) {
        lines.add("-".repeat(lines.getFirst().length()));
      }
    }
    return lines;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? cell + padding : "  " + padding + cell);
    }
    return line.toString();
  }
}
