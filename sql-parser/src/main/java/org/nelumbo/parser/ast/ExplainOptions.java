package org.nelumbo.parser.ast;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * The options of EXPLAIN.
 *
 * @param analyze whether the statement is run
 * @param costs whether the estimates of the planner are shown
 * @param timing whether times are shown
 * @param json whether the result is one JSON document; else lines of text
 * @param summary whether the time of planning is shown; null for the default, with ANALYZE only
 */
public record ExplainOptions(
    boolean analyze, boolean costs, boolean timing, boolean json, Boolean summary) {
  /**
   * EXPLAIN without options: shows only the operators, which do not depend on the sizes of tables.
   */
  public static final ExplainOptions PLAN = new ExplainOptions(false, false, true, false, null);

  /** EXPLAIN ANALYZE. */
  public static final ExplainOptions ANALYZE = new ExplainOptions(true, true, true, false, null);

  /** The defaults of a list of options in parentheses. */
  public static final ExplainOptions LISTED = new ExplainOptions(false, true, true, false, null);

  /** A plan with estimates as JSON. */
  public static final ExplainOptions JSON = new ExplainOptions(false, true, true, true, null);

  /**
   * Options of PostgreSQL that are accepted without effect: their information is always shown, or
   * does not exist.
   */
  private static final Set<String> ACCEPTED =
      Set.of("VERBOSE", "BUFFERS", "SETTINGS", "WAL", "MEMORY", "GENERIC_PLAN");

  private static final Set<String> OWN = Set.of("ANALYZE", "COSTS", "TIMING", "FORMAT", "SUMMARY");

  /**
   * Returns true if a word after EXPLAIN and a parenthesis is an option; no query begins with such
   * a word.
   */
  public static boolean isOption(String word) {
    String upper = word.toUpperCase(Locale.ROOT);
    return OWN.contains(upper) || ACCEPTED.contains(upper);
  }

  /** Returns these options with one of them changed. */
  public ExplainOptions with(SqlParserPos pos, String name, String valueOrNull) {
    String value = valueOrNull == null ? "ON" : valueOrNull.toUpperCase(Locale.ROOT);
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "ANALYZE" -> new ExplainOptions(flag(pos, name, value), costs, timing, json, summary);
      case "COSTS" -> new ExplainOptions(analyze, flag(pos, name, value), timing, json, summary);
      case "TIMING" -> new ExplainOptions(analyze, costs, flag(pos, name, value), json, summary);
      case "SUMMARY" -> new ExplainOptions(analyze, costs, timing, json, flag(pos, name, value));
      case "FORMAT" -> withFormat(pos, value);
      default -> {
        boolean _ = flag(pos, name, value);
        if (!isOption(name)) {
          throw SqlSyntaxException.at(
              pos,
              "EXPLAIN has no option "
                  + name
                  + "; there are ANALYZE, COSTS, TIMING, SUMMARY and FORMAT TEXT or JSON");
        }
        yield this;
      }
    };
  }

  /** Returns these options with another format, which must be TEXT or JSON. */
  public ExplainOptions withFormat(SqlParserPos pos, String format) {
    return switch (format) {
      case "TEXT" -> new ExplainOptions(analyze, costs, timing, false, summary);
      case "JSON" -> new ExplainOptions(analyze, costs, timing, true, summary);
      default ->
          throw SqlSyntaxException.unsupported(
              pos, "EXPLAIN gives TEXT or JSON; write EXPLAIN (FORMAT JSON)");
    };
  }

  /** Returns true if the time of planning is shown. */
  public boolean showsPlanning() {
    return timing && (summary == null ? analyze : summary);
  }

  private static boolean flag(SqlParserPos pos, String name, String value) {
    return switch (value) {
      case "ON", "TRUE", "1" -> true;
      case "OFF", "FALSE", "0" -> false;
      default ->
          throw SqlSyntaxException.at(
              pos, "option " + name + " of EXPLAIN is ON or OFF, not " + value);
    };
  }

  private static String text(boolean flag) {
    return flag ? "ON" : "OFF";
  }

  /** Returns the options as SQL, in parentheses. */
  @Override
  public String toString() {
    return "(ANALYZE "
        + text(analyze)
        + ", COSTS "
        + text(costs)
        + ", TIMING "
        + text(timing)
        + ", FORMAT "
        + (json ? "JSON" : "TEXT")
        + (summary == null ? "" : ", SUMMARY " + text(summary))
        + ")";
  }
}
