package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Generates random queries of the kind that may take the fast path, and of kinds that nearly may.
 */
public final class PlainSql {
  private static final List<String> NUMBERS =
      List.of("id", "a", "b", "s", "n", "m", "f", "r", "x.id", "x.n", "x.f");

  private final Random random;

  /** True while the query may have parameter markers. */
  private boolean hasMarkers;

  public PlainSql(long seed) {
    this.random = new Random(seed);
  }

  @SafeVarargs
  private <T> T any(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private List<String> list(int most, Supplier<String> element) {
    List<String> list = new ArrayList<>();
    for (int i = random.nextInt(most); i >= 0; i--) {
      list.add(element.get());
    }
    return list;
  }

  private String literal() {
    return any(
        "1", "-7", "2.50", "3000000000", "0.125", "12", "NULL", "99999999999999999999", "1e2");
  }

  /** Returns an operand of a comparison: a number, or perhaps a parameter marker. */
  private String compared(Supplier<String> value) {
    return hasMarkers && chance(40) ? "?" : value.get();
  }

  private String text() {
    return hasMarkers && chance(40) ? "?" : any("v", "c", "'abc'", "'x'");
  }

  private String leaf(List<String> columns) {
    return columns.isEmpty() || chance(35)
        ? literal()
        : columns.get(random.nextInt(columns.size()));
  }

  private String number(List<String> columns, int depth) {
    if (depth == 0) {
      return leaf(columns);
    }
    Supplier<String> inner = () -> number(columns, depth - 1);
    return switch (random.nextInt(9)) {
      case 0, 1 -> inner.get() + any(" + ", " - ", " * ", " / ") + inner.get();
      case 2 -> any("- ", "+ ") + inner.get();
      case 3 -> "(" + inner.get() + ")";
      case 4 ->
          "CASE WHEN " + condition(columns, depth - 1) + " THEN " + inner.get() + otherwise(inner);
      case 5 ->
          "CASE "
              + inner.get()
              + " WHEN "
              + inner.get()
              + " THEN "
              + inner.get()
              + otherwise(inner);
      case 6 -> "COALESCE(" + String.join(", ", list(3, inner)) + ")";
      case 7 -> "NULLIF(" + inner.get() + ", " + inner.get() + ")";
      default -> "CAST(" + inner.get() + " AS " + any("INTEGER", "BIGINT", "REAL", "DOUBLE") + ")";
    };
  }

  private String otherwise(Supplier<String> value) {
    return (chance(60) ? " ELSE " + value.get() : "") + " END";
  }

  private String condition(List<String> columns, int depth) {
    Supplier<String> value = () -> number(columns, Math.max(0, depth - 1));
    Supplier<String> inner = () -> condition(columns, depth - 1);
    return "("
        + switch (random.nextInt(depth <= 0 ? 6 : 9)) {
          case 0, 1 ->
              compared(value) + any(" = ", " <> ", " < ", " <= ", " > ", " >= ") + compared(value);
          case 2 ->
              compared(value)
                  + any(" BETWEEN ", " NOT BETWEEN ")
                  + compared(value)
                  + " AND "
                  + compared(value);
          case 3 ->
              value.get()
                  + any(" IN (", " NOT IN (")
                  + String.join(", ", list(4, () -> compared(value)))
                  + ")";
          case 4 -> value.get() + any(" IS NULL", " IS NOT NULL");
          case 5 ->
              columns.isEmpty()
                  ? "'a' = 'b'"
                  : any("v", "c", "'ab'") + any(" = ", " < ", " >= ") + text();
          case 6 -> "NOT " + inner.get();
          default -> inner.get() + any(" AND ", " OR ") + inner.get();
        }
        + ")";
  }

  private String aggregate(List<String> columns) {
    String call =
        any("COUNT", "SUM", "MIN", "MAX", "AVG")
            + any("(", "(DISTINCT ", "(ALL ")
            + number(columns, random.nextInt(2))
            + ")";
    return chance(25) ? "COUNT(*)" : chance(20) ? call + " + " + leaf(List.of()) : call;
  }

  private String named(String item) {
    return chance(40) ? item + " AS " + any("k", "a", "z" + random.nextInt(9)) : item;
  }

  /** Returns a query. */
  public String query() {
    hasMarkers = chance(30);
    String from =
        any(
            "",
            " FROM t x",
            " FROM t x",
            " FROM t AS x",
            " FROM t x, u",
            " FROM t x CROSS JOIN u y",
            " FROM w x",
            " FROM w AS x, u",
            " FROM t x JOIN u ON ",
            " FROM w x INNER JOIN u AS y ON ");
    List<String> columns = from.isEmpty() ? List.of() : NUMBERS;
    if (from.endsWith(" ON ")) {
      from += condition(List.of("id", "a", "n", "w", "uid", "x.f"), random.nextInt(3));
    }
    String where = chance(60) ? " WHERE " + condition(columns, random.nextInt(4)) : "";
    String distinct = any("", "", "", "DISTINCT ", "ALL ");
    if (chance(30)) {
      List<String> keys = from.isEmpty() || chance(50) ? List.of() : list(2, () -> leaf(columns));
      List<String> items = list(3, () -> named(aggregate(columns)));
      keys.forEach(key -> items.add(named(chance(50) ? key : "- " + key)));
      String group = keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys);
      String having = !from.isEmpty() && chance(25) ? " HAVING " + aggregate(columns) + " > 1" : "";
      return "SELECT " + distinct + String.join(", ", items) + from + where + group + having;
    }
    List<String> items = list(3, () -> named(number(columns, random.nextInt(4))));
    if (chance(20)) {
      items.add(any("'ab'", "'ab' AS q", "TRUE AS q", condition(columns, 1) + " AS q"));
    }
    if (!from.isEmpty() && chance(20)) {
      items.set(0, any("*", "x.*", "v", "x.c"));
    }
    String order =
        chance(25) ? " ORDER BY " + any("1", "1 DESC", "2, 1", "a", "k DESC", "a + 1", "id") : "";
    String rows = chance(15) ? any(" LIMIT 3", " LIMIT 0", " LIMIT 5 OFFSET 2", " OFFSET 4") : "";
    return "SELECT " + distinct + String.join(", ", items) + from + where + order + rows;
  }
}
