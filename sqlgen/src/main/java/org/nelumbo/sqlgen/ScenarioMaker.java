package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A generator of scenarios of queries on one table of numbers, texts and dates. */
final class ScenarioMaker {
  /** Columns of the table; the first is its key. */
  private static final List<String> COLUMNS = List.of("id", "g", "i", "b", "d", "e", "x", "y");

  private static final String DEFINITION =
      "id INTEGER PRIMARY KEY, g INTEGER, i INTEGER, b BIGINT, d DECIMAL(10, 2), e DECIMAL(16, 6),"
          + " x VARCHAR(4), y DATE";

  private final Dice dice;
  private final PermutationMaker permutations;
  private Scenario scenario;

  ScenarioMaker(Dice dice) {
    this.dice = dice;
    this.permutations = new PermutationMaker(dice);
  }

  Scenario scenario() {
    if (dice.chance(35)) {
      return permutations.scenario();
    }
    scenario = new Scenario(dice);
    scenario.create("s0", DEFINITION);
    List<String> rows = new ArrayList<>();
    int size = dice.chance(5) ? 0 : dice.chance(10) ? 80 : 1 + dice.below(10);
    for (int i = 1; i <= size; i++) {
      rows.add(row(i));
    }
    if (!rows.isEmpty()) {
      scenario.fill("s0", rows);
    }
    view();
    for (int i = 4 + dice.below(8); i > 0; i--) {
      switch (dice.below(9)) {
        case 0, 1, 2 -> innerOrder();
        case 3 -> scenario.add(numbers(), false);
        case 4 -> scenario.add(windows(), false);
        case 5, 6 -> scenario.add(ranks(), false);
        case 7 -> scenario.add(aliases(), false);
        default -> scenario.add(recursion(), false);
      }
    }
    return scenario;
  }

  private String row(int id) {
    List<String> values = new ArrayList<>();
    values.add(Integer.toString(id));
    values.add(Integer.toString(dice.below(3)));
    values.add(nullable(Integer.toString(dice.below(2_000) - 1_000)));
    values.add(
        nullable(
            dice.chance(40)
                ? dice.of("9223372036854775807", "-9223372036854775807", "9007199254740993")
                : Integer.toString(dice.below(9))));
    values.add(nullable(dice.below(9) + "." + (10 + dice.below(90))));
    values.add(nullable(dice.below(900) + "." + (100_000 + dice.below(900_000))));
    values.add(nullable(dice.of("'a'", "'b'", "'ab'", "'Ab'", "''")));
    values.add(nullable("DATE '2024-02-2" + dice.below(10) + "'"));
    return "(" + String.join(", ", values) + ")";
  }

  private String nullable(String value) {
    return dice.chance(12) ? "NULL" : value;
  }

  private String order(List<String> columns) {
    List<String> keys = new ArrayList<>();
    for (int i : dice.permutation(columns.size())) {
      keys.add(columns.get(i) + direction());
    }
    return String.join(", ", keys);
  }

  private String direction() {
    return dice.of("", "", " DESC") + dice.of(" NULLS FIRST", " NULLS LAST");
  }

  private void view() {
    scenario.add(
        "CREATE VIEW sv (k) AS SELECT id, g, x FROM s0 ORDER BY " + order(List.of("id", "g", "x")),
        false);
  }

  private void innerOrder() {
    String where = dice.of("", "", " WHERE g < 2", " WHERE x <> 'a'");
    String ordered =
        "SELECT id, g, x FROM s0" + where + " ORDER BY " + order(List.of("id", "g", "x"));
    if (dice.chance(25)) {
      ordered = "SELECT * FROM (" + ordered + ") o" + dice.of("", " WHERE g > 0");
    }
    if (dice.chance(15)) {
      ordered += dice.of(" FETCH FIRST 4 ROWS ONLY", " LIMIT 3", " OFFSET 1 ROWS");
    }
    boolean isView = dice.chance(20);
    boolean isWith = !isView && dice.chance(30);
    String with =
        isWith ? "WITH q AS " + dice.of("", "", "MATERIALIZED ") + "(" + ordered + ") " : "";
    String from =
        isView
            ? " FROM (SELECT k AS id, g, x FROM sv) q"
            : isWith ? " FROM q" : " FROM (" + ordered + ") q";
    String filter = dice.of("", "", " WHERE q.id > 1");
    String joined =
        dice.of("STRING_AGG(", "LISTAGG(")
            + dice.of("x", "x || '!'", "CAST(id AS VARCHAR(12))")
            + ", ',')";
    switch (dice.below(7)) {
      case 0 -> scenario.add(with + "SELECT COUNT(*), " + joined + from + filter, false);
      case 1 ->
          scenario.add(with + "SELECT " + joined + " FILTER (WHERE g <> 1)" + from + filter, false);
      case 2 -> scenario.add(with + "SELECT g, " + joined + from + filter + " GROUP BY g", false);
      case 3 -> scenario.add(with + "SELECT id, ROW_NUMBER() OVER () AS n" + from + filter, false);
      case 4 -> scenario.add(with + "SELECT id, x" + from + filter, true);
      case 5 ->
          scenario.add(
              with
                  + "SELECT COUNT(*), SUM(id) FROM (SELECT id"
                  + from
                  + filter
                  + " FETCH FIRST 3 ROWS ONLY) l",
              false);
      default ->
          scenario.add(
              with
                  + "SELECT id, x"
                  + from
                  + filter
                  + dice.of(" LIMIT 2", " OFFSET 1 ROWS FETCH NEXT 3 ROWS ONLY"),
              true);
    }
  }

  private String number() {
    return dice.of("i", "b", "d", "e", "i", "b");
  }

  private String quotient() {
    String divisor = dice.of("d", "e", "i", "d", "e");
    String dividend = divisor.equals("i") ? dice.of("d", "e") : dice.of("d", "e", "i");
    return "(" + dividend + " / NULLIF(" + divisor + ", 0))";
  }

  private String aggregate() {
    return switch (dice.below(6)) {
      case 0, 1 -> "SUM(" + dice.of("", "", "DISTINCT ") + number() + ")";
      case 2 -> average("");
      case 3 -> "SUM(b) - 9223372036854775807";
      case 4 -> "MAX" + quotient();
      default -> deviation("");
    };
  }

  /** Returns an average, rounded for DECIMALs, where it has fewer digits than PostgreSQL's. */
  private String average(String over) {
    String average = "AVG(" + dice.of("i", "b", "d", "e") + ")" + over;
    return average.contains("(i)") || average.contains("(b)")
        ? average
        : "CAST(" + average + " AS DECIMAL(20, 5))";
  }

  /**
   * Returns a deviation or variance. For BIGINT it is cast to DOUBLE, since PostgreSQL's result is
   * exact and Nelumbo's is a DOUBLE.
   */
  private String deviation(String over) {
    String argument = dice.of("i", "d", "b");
    return "CAST("
        + dice.of("STDDEV_POP(", "STDDEV_SAMP(", "VAR_POP(", "VAR_SAMP(")
        + argument
        + ")"
        + over
        + " AS "
        + (argument.equals("b") ? "DOUBLE PRECISION)" : "DECIMAL(20, 5))");
  }

  private String numbers() {
    if (dice.chance(40)) {
      return "SELECT id, " + quotient() + ", " + quotient() + " FROM s0";
    }
    String group = dice.of("", " GROUP BY g", " GROUP BY ROLLUP (g)");
    return "SELECT "
        + (group.isEmpty() ? "COUNT(*)" : "g")
        + ", "
        + aggregate()
        + ", "
        + aggregate()
        + " FROM s0"
        + group;
  }

  private String windows() {
    String frame =
        dice.of(
            "",
            "",
            " ROWS 1 PRECEDING",
            " ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING",
            " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING");
    String over =
        dice.chance(25)
            ? " OVER (PARTITION BY g)"
            : " OVER ("
                + dice.of("", "PARTITION BY g ")
                + "ORDER BY id"
                + dice.of("", " DESC")
                + frame
                + ")";
    String call =
        switch (dice.below(4)) {
          case 0 -> "SUM(" + number() + ")" + over;
          case 1 -> average(over);
          default -> deviation(over);
        };
    return "SELECT id, " + call + " FROM s0";
  }

  private String ranks() {
    String function = dice.of("RANK(", "DENSE_RANK(", "PERCENT_RANK(", "CUME_DIST(");
    List<String> values = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = function.startsWith("D") || dice.chance(60) ? 1 : 2; i > 0; i--) {
      String column = dice.of("g", "i", "d", "x", "y", "id");
      values.add(
          dice.chance(8)
              ? "CAST(NULL AS " + type(column).sqlName() + ")"
              : scenario.constant(Constant.of(type(column), dice)));
      keys.add(column + direction());
    }
    String call =
        function
            + String.join(", ", values)
            + ") WITHIN GROUP (ORDER BY "
            + String.join(", ", keys)
            + ")"
            + dice.of("", "", " FILTER (WHERE g <> 1)");
    return switch (dice.below(3)) {
      case 0 -> "SELECT g, " + call + " FROM s0 GROUP BY g";
      case 1 -> "SELECT " + call + ", COUNT(*) FROM s0 WHERE g < 2";
      default -> "SELECT " + call + " FROM s0";
    };
  }

  private static DataType type(String column) {
    return switch (column) {
      case "d" -> DataType.DECIMAL;
      case "x" -> DataType.VARCHAR;
      case "y" -> DataType.DATE;
      default -> DataType.INTEGER;
    };
  }

  private String aliases() {
    int named = 1 + dice.below(3);
    List<String> names = new ArrayList<>();
    List<String> columns = new ArrayList<>(COLUMNS);
    for (int i = 0; i < named; i++) {
      names.add("k" + i);
      columns.set(i, "k" + i);
    }
    String list = "(" + String.join(", ", names) + ")";
    String rest = dice.any(columns.subList(named, columns.size()));
    String where = dice.of("", " WHERE k0 > 1", " WHERE " + rest + " IS NOT NULL");
    return switch (dice.below(6)) {
      case 0 -> "SELECT k0, " + rest + " FROM s0 AS a" + list + where;
      case 1 -> "SELECT a.* FROM s0 a" + list + where;
      case 2 -> "SELECT k0, " + rest + " FROM (SELECT * FROM s0) a" + list + where;
      case 3 -> "WITH a" + list + " AS (SELECT * FROM s0) SELECT k0, " + rest + " FROM a" + where;
      case 4 ->
          "SELECT a.k0, n."
              + dice.of("g", "x")
              + " FROM s0 a"
              + list
              + dice.of(" JOIN", " LEFT JOIN")
              + " sv n (m) ON a.k0 = n.m";
      default -> "SELECT k, g, x FROM sv" + dice.of("", " WHERE k > 2", " WHERE g = 1");
    };
  }

  private String recursion() {
    String first =
        switch (dice.below(4)) {
          case 0 -> "(SELECT MAX(d) FROM s0)";
          case 1 -> "0.5 + " + dice.below(3);
          default -> scenario.constant(Constant.of(DataType.DECIMAL, dice));
        };
    String step = dice.of("n + 1", "n * 1.5", "n + 0.25", "n / 2", "n - 1.125", "n + j");
    String condition = "j < " + (1 + dice.below(6)) + dice.of("", " AND n < 100");
    String extra = dice.chance(30) ? ", m" : "";
    return "WITH RECURSIVE r (n, j"
        + extra
        + ") AS (SELECT "
        + first
        + ", 1"
        + (extra.isEmpty() ? "" : ", " + dice.of("'a'", "0.75"))
        + " UNION "
        + dice.of("", "ALL ")
        + "SELECT "
        + step
        + ", j + 1"
        + extra
        + " FROM r WHERE "
        + condition
        + ") SELECT "
        + dice.of("n, j FROM r", "SUM(n), COUNT(*) FROM r", "MAX(n) FROM r WHERE j > 1");
  }
}
