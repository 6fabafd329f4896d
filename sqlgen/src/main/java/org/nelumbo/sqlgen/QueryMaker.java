package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A generator of queries. */
final class QueryMaker {
  private final Dice dice;
  private final List<Table> tables;

  QueryMaker(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.tables = tables;
  }

  /**
   * The parts of a query that some checks compare in several forms.
   *
   * @param expressions generator of the parts
   * @param sources tables that the parts refer to
   * @param from the FROM clause
   * @param condition a condition on its columns
   */
  record Parts(ExpressionMaker expressions, List<Source> sources, String from, String condition) {}

  Parts parts(boolean portable, int tablesMax) {
    ExpressionMaker expressions = new ExpressionMaker(dice, tables, portable);
    List<Source> sources = new ArrayList<>();
    sources.add(expressions.source());
    StringBuilder from = new StringBuilder(" FROM " + sources.getFirst());
    for (int i = dice.below(tablesMax); i > 0; i--) {
      join(expressions, sources, from);
    }
    return new Parts(expressions, sources, from.toString(), expressions.condition(sources, 3));
  }

  private void join(ExpressionMaker expressions, List<Source> sources, StringBuilder from) {
    Source joined = expressions.source();
    if (dice.chance(10)) {
      sources.add(joined);
      from.append(" CROSS JOIN ").append(joined);
      return;
    }
    DataType type = dice.any(joined.table().columns).type();
    String own = expressions.column(type, List.of(joined));
    String other = expressions.column(type, sources);
    sources.add(joined);
    String on =
        other == null || dice.chance(25)
            ? expressions.condition(sources, 1)
            : own
                + " = "
                + other
                + (dice.chance(25) ? " AND " + expressions.condition(sources, 1) : "");
    from.append(dice.of(" JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN "))
        .append(joined)
        .append(" ON ")
        .append(on);
  }

  /** Returns a query with the same result in all databases. */
  GeneratedStatement query() {
    Parts parts = parts(true, 3);
    String where = dice.chance(85) ? " WHERE " + parts.condition : "";
    return dice.chance(30) ? grouped(parts, where) : plain(parts, where);
  }

  private GeneratedStatement plain(Parts parts, String where) {
    ExpressionMaker expressions = parts.expressions;
    List<String> select = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    int count = 1 + dice.below(3);
    for (int i = 0; i < count; i++) {
      String counted = dice.chance(8) ? expressions.count(parts.sources) : null;
      types.add(counted == null ? expressions.type() : DataType.BIGINT);
      String value = counted == null ? expressions.of(types.get(i), parts.sources, 2) : counted;
      select.add(value + " AS c" + i);
    }
    String query =
        "SELECT "
            + (dice.chance(20) ? "DISTINCT " : "")
            + String.join(", ", select)
            + parts.from
            + where;
    if (dice.chance(12)) {
      Source source = expressions.source();
      List<String> other = new ArrayList<>();
      types.forEach(type -> other.add(expressions.of(type, List.of(source), 1)));
      String second = "SELECT " + String.join(", ", other) + " FROM " + source;
      String operation = dice.of(" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ");
      return expressions.statement(query + operation + second, false);
    } else if (dice.chance(10)) {
      return expressions.statement("SELECT COUNT(*), COUNT(c0) FROM (" + query + ") x", false);
    } else if (dice.chance(10)) {
      return expressions.statement(
          "WITH w AS ("
              + query
              + ") SELECT COUNT(*), COUNT(y.c0) FROM w x"
              + dice.of(" JOIN", " LEFT JOIN")
              + " w y ON x.c0 = y.c0"
              + (dice.chance(40) ? " WHERE x.c0 > (SELECT MIN(c0) FROM w)" : ""),
          false);
    } else if (dice.chance(25)) {
      StringBuilder order = new StringBuilder(" ORDER BY ");
      for (int i = 1; i <= count; i++) {
        order
            .append(i == 1 ? "" : ", ")
            .append(i)
            .append(dice.of("", "", " DESC"))
            .append(dice.of(" NULLS FIRST", " NULLS LAST"));
      }
      String limit =
          dice.chance(50)
              ? " OFFSET "
                  + dice.below(3)
                  + " ROWS FETCH NEXT "
                  + (1 + dice.below(6))
                  + " ROWS ONLY"
              : "";
      return expressions.statement(query + order + limit, true);
    }
    return expressions.statement(query, false);
  }

  private GeneratedStatement grouped(Parts parts, String where) {
    ExpressionMaker expressions = parts.expressions;
    List<String> keys = new ArrayList<>();
    for (int i = dice.below(3); i > 0; i--) {
      String key = expressions.column(expressions.type(), parts.sources);
      if (key != null && !keys.contains(key)) {
        keys.add(key);
      }
    }
    List<String> select = new ArrayList<>(keys);
    select.add(aggregate(parts));
    select.add(aggregate(parts));
    String having =
        dice.chance(30) ? " HAVING COUNT(*)" + dice.of(" > ", " = ", " <> ") + dice.below(4) : "";
    String group = keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys);
    return expressions.statement(
        "SELECT " + String.join(", ", select) + parts.from + where + group + having, false);
  }

  private String aggregate(Parts parts) {
    ExpressionMaker expressions = parts.expressions;
    DataType type =
        dice.of(
            DataType.INTEGER, DataType.DECIMAL, DataType.DOUBLE, DataType.VARCHAR, DataType.DATE);
    String argument = expressions.of(type, parts.sources, 1);
    String distinct = dice.chance(15) ? "DISTINCT " : "";
    return switch (dice.below(4)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(" + distinct + argument + ")";
      case 2 -> type.isNumeric() ? "SUM(" + distinct + argument + ")" : "MAX(" + argument + ")";
      default -> dice.of("MIN(", "MAX(") + argument + ")";
    };
  }
}
