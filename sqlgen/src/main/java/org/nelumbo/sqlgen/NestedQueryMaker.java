package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/**
 * A generator of nested queries, each with its own order and limit, and an outer query with an
 * order, a limit, a filter, a join or aggregate functions. Each order is by all columns, so the
 * rows within a limit are determined.
 */
final class NestedQueryMaker {
  private static final int LEVELS_MAX = 3;

  private final Dice dice;
  private final List<Table> tables;
  private int aliases;

  NestedQueryMaker(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.tables = tables;
  }

  /** A query and the types of its columns, which are named c0, c1, and so on. */
  private record Nested(String text, List<DataType> types) {
    int columns() {
      return types.size();
    }
  }

  GeneratedStatement query() {
    ExpressionMaker expressions = new ExpressionMaker(dice, tables, true);
    aliases = 0;
    Nested inner = base(expressions);
    for (int i = dice.below(LEVELS_MAX); i > 0; i--) {
      inner = level(expressions, inner);
    }
    String limited = "(" + inner.text + limits(inner.columns()) + ") s" + aliases++;
    return dice.chance(35)
        ? grouped(expressions, limited, inner)
        : ordered(expressions, limited, inner);
  }

  private Nested base(ExpressionMaker expressions) {
    Source source = expressions.source();
    List<Source> sources = List.of(source);
    List<String> select = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    int columns = 1 + dice.below(3);
    for (int i = 0; i < columns; i++) {
      Column column = dice.any(source.table().columns);
      types.add(column.type());
      select.add(
          (dice.chance(85)
                  ? source.alias() + "." + column.name()
                  : expressions.of(column.type(), sources, 1))
              + " AS c"
              + i);
    }
    String where = dice.chance(30) ? " WHERE " + expressions.condition(sources, 1) : "";
    return new Nested("SELECT " + String.join(", ", select) + " FROM " + source + where, types);
  }

  private Nested level(ExpressionMaker expressions, Nested inner) {
    List<Integer> kept = dice.permutation(inner.columns());
    kept = kept.subList(0, 1 + dice.below(kept.size()));
    String alias = "s" + aliases++;
    List<String> select = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      types.add(inner.types.get(kept.get(i)));
      select.add(alias + ".c" + kept.get(i) + " AS c" + i);
    }
    return new Nested(
        "SELECT "
            + (dice.chance(10) ? "DISTINCT " : "")
            + String.join(", ", select)
            + " FROM ("
            + inner.text
            + limits(inner.columns())
            + ") "
            + alias
            + filter(expressions, alias),
        types);
  }

  private String filter(ExpressionMaker expressions, String alias) {
    Source source = expressions.source();
    return switch (dice.below(8)) {
      case 0 -> " WHERE " + alias + ".c0 IS NOT NULL";
      case 1 ->
          " WHERE EXISTS (SELECT 1 FROM "
              + source
              + " WHERE "
              + expressions.condition(List.of(source), 1)
              + ")";
      case 2 -> " CROSS JOIN (SELECT COUNT(*) AS n FROM " + source + ") n" + alias;
      default -> "";
    };
  }

  private String limits(int columns) {
    String order = order(columns);
    return switch (dice.below(4)) {
      case 0 -> order + " OFFSET " + dice.below(3) + " ROWS";
      case 1 -> order + " FETCH FIRST " + (1 + dice.below(6)) + " ROWS ONLY";
      default ->
          order
              + " OFFSET "
              + dice.below(3)
              + " ROWS FETCH NEXT "
              + (1 + dice.below(6))
              + " ROWS ONLY";
    };
  }

  private String order(int columns) {
    List<String> keys = new ArrayList<>();
    for (int column : dice.permutation(columns)) {
      keys.add((column + 1) + dice.of("", "", " DESC") + dice.of(" NULLS FIRST", " NULLS LAST"));
    }
    return " ORDER BY " + String.join(", ", keys);
  }

  private GeneratedStatement ordered(ExpressionMaker expressions, String limited, Nested inner) {
    List<String> select = new ArrayList<>();
    dice.permutation(inner.columns()).forEach(column -> select.add("c" + column));
    String order = dice.chance(40) ? limits(inner.columns()) : order(inner.columns());
    return expressions.statement(
        "SELECT " + String.join(", ", select) + " FROM " + limited + order, true);
  }

  private GeneratedStatement grouped(ExpressionMaker expressions, String limited, Nested inner) {
    List<String> select = new ArrayList<>();
    for (int column = 0; column < inner.columns(); column++) {
      boolean hasExtremes =
          switch (inner.types.get(column)) {
            case INTEGER, BIGINT, DECIMAL, DOUBLE, VARCHAR, DATE, TIMESTAMP -> true;
            default -> false;
          };
      select.add((hasExtremes ? dice.of("MIN", "MAX") : "COUNT") + "(c" + column + ")");
    }
    if (dice.chance(40)) {
      select.add("COUNT(*)");
    }
    String text = "SELECT " + String.join(", ", select) + " FROM " + limited;
    return expressions.statement(text, false);
  }
}
