package org.nelumbo.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The memory nodes of a pool as a table for users: one row per node, sizes in MiB. */
final class NodeTable {
  private static final String NONE = "-";
  private static final double MEBIBYTE = 1 << 20;
  private static final int PERCENT = 100;

  private final List<String[]> rows = new ArrayList<>();

  NodeTable() {
    rows.add(
        new String[] {"NODE", "ADDRESS", "STATE", "USED", "OF", "FULL IN", "SERVES", "ANSWERED"});
  }

  /** Adds a node that has not responded. */
  void addSilent(int node, String address) {
    rows.add(
        new String[] {Integer.toString(node), address, "silent", NONE, NONE, NONE, NONE, NONE});
  }

  /** Adds a node with its response: lines with one or several {@code key=value} pairs. */
  void add(int node, String address, String reply, long millis) {
    Map<String, String> values = new HashMap<>();
    for (String line : reply.split("\n", -1)) {
      if (line.startsWith("owner=")) {
        values.putIfAbsent("owner", line.substring("owner=".length()));
        continue;
      }
      for (String word : line.split("\\s+", -1)) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          values.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
        }
      }
    }
    rows.add(
        new String[] {
          Integer.toString(node),
          address,
          state(values),
          mebibytes(values.get("taken")),
          mebibytes(values.get("bytes")),
          values.getOrDefault("full_in", NONE),
          values.getOrDefault("owner", NONE),
          millis + " ms"
        });
  }

  private static String state(Map<String, String> values) {
    if (values.containsKey("loading")) {
      return values.get("loading").replace('_', ' ');
    }
    String without =
        values.containsKey("copies") ? "live" : values.containsKey("decision") ? "closed" : "empty";
    String role = values.getOrDefault("role", without);
    if (!values.containsKey("filled")) {
      return role;
    }
    long all = Math.max(1, Long.parseLong(values.getOrDefault("of", "1")));
    return role + " " + Long.parseLong(values.get("filled")) * PERCENT / all + " %";
  }

  private static String mebibytes(String bytes) {
    return bytes == null
        ? NONE
        : String.format(Locale.ROOT, "%.1f MiB", Long.parseLong(bytes) / MEBIBYTE);
  }

  /** Returns the lines with aligned columns; the first line contains the column names. */
  List<String> lines() {
    int[] widths = new int[rows.getFirst().length];
    for (String[] row : rows) {
      for (int column = 0; column < row.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.length; column++) {
      line.append(row[column]).repeat(' ', widths[column] + 2 - row[column].length());
    }
    return line.toString().stripTrailing();
  }
}
