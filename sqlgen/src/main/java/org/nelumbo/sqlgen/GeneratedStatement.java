package org.nelumbo.sqlgen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement, in which some constants may be parameters.
 *
 * @param template its text, with marks for the constants
 * @param constants those that the marks stand for, by their number
 * @param fallible whether its data may be the cause of an error
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

  /** The text with literals. */
  String plain() {
    return MARK.matcher(template)
        .replaceAll(
            mark ->
                Matcher.quoteReplacement(constants.get(Integer.parseInt(mark.group(1))).literal()));
  }

  /** The text with parameter markers. */
  String prepared() {
    return MARK.matcher(template).replaceAll("?");
  }

  /** The values of the markers, in order. */
  List<Object> values() {
    return MARK.matcher(template)
        .results()
        .map(mark -> constants.get(Integer.parseInt(mark.group(1))).value())
        .toList();
  }

  /** With other constants in the places of parameters. */
  GeneratedStatement redrawn(Dice dice) {
    List<Constant> others =
        constants.stream().map(constant -> Constant.of(constant.type(), dice)).toList();
    return new GeneratedStatement(template, others, fallible, ordered);
  }

  /** Whether the columns that it names are still there: some databases do not look at all. */
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

  /** Whether it changes rows one by one, so that their number says something. */
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
