package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A generator of queries that have constants wherever an expression is allowed. */
final class ParameterMaker {
  /** Queries with a {@code #} for each number, each of which may be a parameter. */
  private static final List<String> NUMBERS =
      List.of(
          "SELECT #",
          "SELECT -#",
          "SELECT +#",
          "SELECT # + #",
          "SELECT # * (# - #)",
          "SELECT (SELECT #) + #",
          "SELECT x + # FROM (SELECT # x) q",
          "SELECT COALESCE(NULL, #)",
          "SELECT NULLIF(#, #)",
          "SELECT GREATEST(#, #)",
          "SELECT ABS(-#)",
          "SELECT CONCAT('a', #)",
          "SELECT CASE WHEN # > # THEN # ELSE # END",
          "SELECT CASE # WHEN # THEN 'a' ELSE 'b' END",
          "SELECT # IN (#, #)",
          "SELECT # BETWEEN # AND #",
          "SELECT # IS DISTINCT FROM #",
          "SELECT # IN (SELECT x FROM @)",
          "SELECT # NOT IN (SELECT x FROM @ WHERE x > #)",
          "SELECT # IN (VALUES (1), (2))",
          "SELECT # = ANY (SELECT x FROM @)",
          "SELECT # > ALL (SELECT x FROM @)",
          "SELECT (#, #) IN (SELECT x, x FROM @)",
          "SELECT x FROM @ WHERE x IN (SELECT #)",
          "SELECT x FROM @ WHERE x = (SELECT #)",
          "SELECT x FROM @ WHERE x IN (SELECT # UNION SELECT #)",
          "SELECT x FROM @ WHERE x = -#",
          "SELECT x FROM @ WHERE x + # IN (SELECT x FROM @)",
          "SELECT x FROM @ WHERE # = x + #",
          "SELECT x FROM @ UNION SELECT #",
          "SELECT # UNION ALL SELECT #",
          "SELECT # UNION ALL SELECT x FROM @",
          "SELECT x FROM @ EXCEPT SELECT #",
          "SELECT x FROM @ INTERSECT SELECT #",
          "SELECT x, # FROM @ UNION ALL SELECT #, x FROM @",
          "VALUES (#), (#)",
          "SELECT x FROM (VALUES (#), (1)) v (x) UNION ALL SELECT #",
          "WITH q (x) AS (SELECT #) SELECT x + 1 FROM q",
          "SELECT SUM(x * #) FROM @",
          "SELECT MAX(#) FROM @",
          "SELECT COUNT(*) FROM @ GROUP BY x + #",
          "SELECT COUNT(*) FROM @ HAVING COUNT(*) > #",
          "SELECT x FROM @ ORDER BY x * #",
          "SELECT LAG(x, 1, #) OVER (ORDER BY x) FROM @",
          "SELECT SUM(x + #) OVER () FROM @",
          "SELECT CAST(# AS VARCHAR)",
          "SELECT CAST(# AS DECIMAL(12, 3))");

  private static final List<String> WHOLE =
      List.of(
          "WITH RECURSIVE r (n) AS (SELECT # UNION ALL SELECT n + 1 FROM r WHERE n < 9)"
              + " SELECT n FROM r",
          "SELECT NTILE(#) OVER (ORDER BY x) FROM @",
          "SELECT INTERVAL '1' DAY * #",
          "SELECT # * INTERVAL '1' HOUR",
          "SELECT DATE '2024-01-31' + # * INTERVAL '1' DAY",
          "SELECT DATE '2024-01-31' + #",
          "SELECT DATE '2024-01-31' - #",
          "SELECT x FROM @ ORDER BY x LIMIT #",
          "SELECT x FROM @ ORDER BY x OFFSET #",
          "SELECT SUM(x) OVER (ORDER BY x ROWS # PRECEDING) FROM @",
          "SELECT SUBSTRING('abcdef', #)",
          "SELECT LAG(x, #) OVER (ORDER BY x) FROM @",
          "SELECT REPEAT('ab', #)");

  private static final List<String> TEXTS =
      List.of(
          "SELECT #",
          "SELECT # || #",
          "SELECT CONCAT(#, 'a', #)",
          "SELECT UPPER(#)",
          "SELECT # LIKE #",
          "SELECT # = #",
          "SELECT # IN (SELECT y FROM @)",
          "SELECT y FROM @ UNION SELECT #",
          "SELECT # UNION ALL SELECT #",
          "SELECT y FROM @ EXCEPT SELECT #",
          "SELECT y FROM @ WHERE y IN (SELECT #)",
          "SELECT COALESCE((SELECT #), 'z')",
          "SELECT CASE WHEN # < # THEN # ELSE y END FROM @",
          "SELECT MIN(#) FROM @",
          "SELECT POSITION(# IN #)",
          "SELECT REPLACE(#, 'a', #)");

  private static final List<String> DAYS =
      List.of(
          "SELECT #",
          "SELECT # - #",
          "SELECT # - DATE '2024-01-01'",
          "SELECT DATE '2024-01-01' - #",
          "SELECT # + INTERVAL '1' DAY",
          "SELECT # - INTERVAL '36' HOUR",
          "SELECT DATE_TRUNC('month', #)",
          "SELECT EXTRACT(YEAR FROM #)",
          "SELECT # UNION SELECT #",
          "SELECT DATE '2024-01-01' UNION SELECT #",
          "SELECT # IN (SELECT z FROM @)",
          "SELECT z FROM @ EXCEPT SELECT #",
          "SELECT # < #",
          "SELECT COALESCE(#, #)",
          "SELECT CONCAT('a', #)",
          "SELECT MAX(#) FROM @",
          "SELECT TO_CHAR(#, 'YYYY-MM-DD')",
          "SELECT CASE WHEN z = # THEN # END FROM @");

  private static final String ROWS =
      "(VALUES (1, 'a', DATE '2024-02-27'), (2, 'ab', DATE '2024-03-01'),"
          + " (3, 'b', DATE '2024-01-01')) t (x, y, z)";

  private final Dice dice;

  ParameterMaker(Dice dice) {
    this.dice = dice;
  }

  /**
   * A query.
   *
   * @param text text with {@code #} for each constant
   */
  record Template(String text, List<Constant> constants) {
    /** Returns the text with literals. */
    String plain() {
      StringBuilder plain = new StringBuilder();
      String[] parts = text.split("#", -1);
      for (int i = 0; i < parts.length; i++) {
        plain.append(i == 0 ? "" : constants.get(i - 1).literal()).append(parts[i]);
      }
      return plain.toString();
    }

    /** Returns the text with parameters. */
    String prepared() {
      return text.replace('#', '?');
    }
  }

  /** Draws a query with constants of one type. */
  Template template() {
    DataType type =
        dice.of(
            DataType.INTEGER,
            DataType.INTEGER,
            DataType.BIGINT,
            DataType.DECIMAL,
            DataType.DOUBLE,
            DataType.VARCHAR,
            DataType.DATE);
    String text =
        switch (type) {
          case VARCHAR -> dice.any(TEXTS);
          case DATE -> dice.any(DAYS);
          case INTEGER -> dice.chance(30) ? dice.any(WHOLE) : dice.any(NUMBERS);
          default -> dice.any(NUMBERS);
        };
    List<Constant> constants = new ArrayList<>();
    for (int i = 0; i < text.chars().filter(c -> c == '#').count(); i++) {
      constants.add(
          type == DataType.INTEGER ? Constant.integer(1 + dice.below(5)) : Constant.of(type, dice));
    }
    return new Template(text.replace("@", ROWS), constants);
  }
}
