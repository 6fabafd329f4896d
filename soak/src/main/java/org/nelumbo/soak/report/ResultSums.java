package org.nelumbo.soak.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Sums over RESULT lines: numbers with the same key are added. Words, and numbers whose sum has no
 * meaning, are left out.
 */
public final class ResultSums {
  private static final String PREFIX = "RESULT ";
  private static final Set<String> NOT_SUMMED =
      Set.of("seed", "first_seed", "hash", "tps", "round", "threads", "port");

  private final Map<String, Long> sums = new LinkedHashMap<>();
  private int lines;

  /** Adds a line if it is a RESULT line; returns false otherwise. */
  public boolean add(String line) {
    if (!line.startsWith(PREFIX)) {
      return false;
    }
    lines++;
    for (String word : line.substring(PREFIX.length()).split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        add(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return true;
  }

  private void add(String key, String value) {
    if (!NOT_SUMMED.contains(key) && value.matches("\\d{1,18}")) {
      sums.merge(key, Long.valueOf(value), Long::sum);
    }
  }

  /** Returns the number of RESULT lines. */
  public int lines() {
    return lines;
  }

  /** Returns the sum of a key; 0 if no line has it. */
  public long sum(String key) {
    return sums.getOrDefault(key, 0L);
  }

  /** Returns all sums, as {@code key=value key=value}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    sums.forEach(
        (key, sum) -> text.append(text.isEmpty() ? "" : " ").append(key).append('=').append(sum));
    return text.toString();
  }
}
