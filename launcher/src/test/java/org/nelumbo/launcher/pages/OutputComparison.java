package org.nelumbo.launcher.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compares output in a page with the output of a program. The program must print the lines of the
 * page one after the other; a line with {@code ...} stands for any lines, and {@code ...} within a
 * line for any text. Values that differ from run to run are not compared, but their names and units
 * are.
 */
final class OutputComparison {
  /** Lines of counters, in which only the values of some keys are compared. */
  private static final Pattern COUNTERS =
      Pattern.compile("(node=|compute_node|RESULT |.*RecoveryReport\\[).*");

  private static final Pattern COUNTER =
      Pattern.compile(
          "(?<!\\b(?:node|compute_node|compute_nodes|bytes|shards|copies|unknown|terminals"
              + "|ownerless_shards))=\\d+(\\.\\d+)?(?!\\d|[,.]\\d)");

  /** A row of a table of a benchmark. */
  private static final Pattern MEASUREMENTS = Pattern.compile("[\\w-]+( [\\d,.]+){6,}");

  private static final List<Map.Entry<Pattern, String>> VARYING =
      List.of(
          Map.entry(Pattern.compile("\\bus=\\d+"), "us=N"),
          Map.entry(Pattern.compile("\\b\\d[\\d,.]* s\\b"), "N s"),
          Map.entry(Pattern.compile("\\b\\d[\\d,.]*(/s| us)\\b(?!=)"), "N$1"),
          Map.entry(Pattern.compile("^\\d+\\.\\d{3} "), "TIME "),
          Map.entry(Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z"), "TIME"),
          Map.entry(Pattern.compile("0x[0-9a-f]+"), "0xN"),
          Map.entry(Pattern.compile("\\b[0-9a-f]{16}\\b"), "ID"),
          Map.entry(Pattern.compile("\\b(version|view)=\\d+"), "$1=N"),
          Map.entry(Pattern.compile("\\bepoch \\d+"), "epoch N"),
          Map.entry(Pattern.compile("\\b\\d+(\\.\\d+){3}:\\d+"), "HOST:PORT"),
          Map.entry(Pattern.compile("\\bprocess \\d+ on \\S+ \\(user \\S+\\)"), "process N"),
          Map.entry(Pattern.compile("[▁-█]+"), "▁"),
          Map.entry(Pattern.compile("-{4,}"), "----"));

  private OutputComparison() {}

  /** Returns the first lines of the page that were not printed; an empty text if all were. */
  static String missing(List<String> shown, List<String> printed) {
    List<String> lines = printed.stream().filter(line -> !line.isBlank()).toList();
    List<String> part = new ArrayList<>();
    int next = 0;
    for (String line : shown) {
      if (line.strip().matches("\\.\\.\\.|…")) {
        next = end(part, lines, next);
        if (next < 0) {
          return String.join("\n", part);
        }
        part.clear();
      } else if (!line.isBlank()) {
        part.add(line);
      }
    }
    return end(part, lines, next) < 0 ? String.join("\n", part) : "";
  }

  /** Returns the index of the line after the first occurrence of a part, negative if absent. */
  private static int end(List<String> part, List<String> printed, int begin) {
    List<Pattern> patterns = part.stream().map(OutputComparison::pattern).toList();
    for (int first = begin; first + patterns.size() <= printed.size(); first++) {
      int count = 0;
      while (count < patterns.size()
          && patterns.get(count).matcher(normal(printed.get(first + count))).matches()) {
        count++;
      }
      if (count == patterns.size()) {
        return first + count;
      }
    }
    return -1;
  }

  private static Pattern pattern(String shown) {
    return Pattern.compile(Pattern.quote(normal(shown)).replaceAll("\\.\\.\\.|…", "\\\\E.*\\\\Q"));
  }

  /** Replaces the parts of a line that differ from run to run. */
  private static String normal(String line) {
    String result = line.strip().replaceAll("^\\| | +\\|$", "").replaceAll("\\s+", " ").strip();
    for (Map.Entry<Pattern, String> each : VARYING) {
      result = each.getKey().matcher(result).replaceAll(each.getValue());
    }
    if (COUNTERS.matcher(result).matches()) {
      return COUNTER.matcher(result).replaceAll("=N");
    }
    return MEASUREMENTS.matcher(result).matches() ? result.replaceAll(" [\\d,.]+", " N") : result;
  }
}
