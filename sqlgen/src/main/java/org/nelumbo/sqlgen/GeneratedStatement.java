package org.nelumbo.sqlgen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement in which some constants may be parameters.
 *
 * @param template text with marks for the constants
 * @param constants constants by the number of their mark
 * @param fallible whether its data may cause an error
 * @param ordered whether the order of its rows is determined
 */
record GeneratedStatement(
    String template, List<Constant> constants, boolean fallible, boolean ordered) {
  private static final Pattern MARK = Pattern.compile("\u0001(\\d+)\u0002");

  private static final Pattern SOURCE = Pattern.compile("\\b(t\\d+) (q\\d+)\\b");
  private static final Pattern COLUMN = Pattern.compile("\\b(q\\d+)\\.(\\w+)");

  static String mark(int number) {
    return "\u0001" + number + "\u0002";
  }

  /** Returns the text with literals. */
  String plain() {
    return MARK.matcher(template)
        .replaceAll(
            mark ->
                Matcher.quoteReplacement(constants.get(Integer.parseInt(mark.group(1))).literal()));
  }

  /** Returns the text with parameter markers. */
  String prepared() {
    return MARK.matcher(template).replaceAll("?");
  }

  /** Returns the values of the markers, in order. */
  List<Object> values() {
    return MARK.matcher(template)
        .results()
        .map(mark -> constants.get(Integer.parseInt(mark.group(1))).value())
        .toList();
  }

  /** Returns the statement with other constants for the parameters. */
  GeneratedStatement redrawn(Dice dice) {
    List<Constant> others =
        constants.stream().map(constant -> Constant.of(constant.type(), dice)).toList();
    return new GeneratedStatement(template, others, fallible, ordered);
  }

  /**
   * Returns true if the columns in its text still exist. The check is needed because some databases
   * do not detect missing ones.
   */
  boolean hasItsColumns(List<Table> tables) {
    Map<String, Table> sources = new HashMap<>();
    SOURCE
        .matcher(template)
        .results()
        .forEach(
            found ->
                tables.stream()
                    .filter(table -> table.name.equals(found.group(1)))
                    .forEach(table -> sources.put(found.group(2), table)));
    return COLUMN
        .matcher(template)
        .results()
        .allMatch(
            found ->
                sources.get(found.group(1)).columns.stream()
                    .anyMatch(column -> column.name().equals(found.group(2))));
  }

  boolean isQuery() {
    return template.startsWith("SELECT") || template.startsWith("WITH");
  }

  /** Returns true if it changes individual rows, so that their number can be compared. */
  boolean countsRows() {
    return template.startsWith("INSERT")
        || template.startsWith("UPDATE")
        || template.startsWith("DELETE")
        || template.startsWith("MERGE");
  }

  boolean hasParameters() {
    return template.indexOf('\u0001') >= 0;
  }
}
