package org.nelumbo.parser.ast;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * What EXPLAIN shows, and how.
 *
 * @param analyze whether the statement is run
 * @param costs whether it shows what the planner expects
 * @param timing whether it shows times
 * @param json whether it is one JSON document; else lines of text
 */
public record ExplainOptions(boolean analyze, boolean costs, boolean timing, boolean json) {
  /** EXPLAIN s: the operators alone, which do not change with the sizes of tables. */
  public static final ExplainOptions PLAN = new ExplainOptions(false, false, true, false);

  /** EXPLAIN ANALYZE s. */
  public static final ExplainOptions ANALYZE = new ExplainOptions(true, true, true, false);

  /** What options in parentheses change. */
  public static final ExplainOptions LISTED = new ExplainOptions(false, true, true, false);

  /** Of PostgreSQL; what they ask for is shown anyway, or there is none. */
  private static final Set<String> ACCEPTED =
      Set.of("VERBOSE", "BUFFERS", "SUMMARY", "SETTINGS", "WAL", "MEMORY", "GENERIC_PLAN");

  private static final Set<String> OWN = Set.of("ANALYZE", "COSTS", "TIMING", "FORMAT");

  /** Whether a word after EXPLAIN and a parenthesis is an option: no query begins with it. */
  public static boolean isOption(String word) {
    String upper = word.toUpperCase(Locale.ROOT);
    return OWN.contains(upper) || ACCEPTED.contains(upper);
  }

  /** These options but for one. */
  public ExplainOptions with(SqlParserPos pos, String name, String valueOrNull) {
    String value = valueOrNull == null ? "ON" : valueOrNull.toUpperCase(Locale.ROOT);
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "ANALYZE" -> new ExplainOptions(flag(pos, name, value), costs, timing, json);
      case "COSTS" -> new ExplainOptions(analyze, flag(pos, name, value), timing, json);
      case "TIMING" -> new ExplainOptions(analyze, costs, flag(pos, name, value), json);
      case "FORMAT" -> withFormat(pos, value);
      default -> {
        boolean _ = flag(pos, name, value);
        if (!isOption(name)) {
          throw SqlSyntaxException.at(
              pos,
              "EXPLAIN has no option "
                  + name
                  + "; there are ANALYZE, COSTS, TIMING and FORMAT TEXT or JSON");
        }
        yield this;
      }
    };
  }

  /** These options in a format; only TEXT and JSON are known. */
  public ExplainOptions withFormat(SqlParserPos pos, String format) {
    return switch (format) {
      case "TEXT" -> new ExplainOptions(analyze, costs, timing, false);
      case "JSON" -> new ExplainOptions(analyze, costs, timing, true);
      default ->
          throw SqlSyntaxException.unsupported(
              pos, "EXPLAIN gives TEXT or JSON; write EXPLAIN (FORMAT JSON)");
    };
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

  /** As SQL, in parentheses. */
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
        + ")";
  }
}
