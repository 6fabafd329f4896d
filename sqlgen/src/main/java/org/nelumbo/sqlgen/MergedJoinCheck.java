package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/**
 * A generator of chains of joins with USING or NATURAL, of all kinds and nested to the left and
 * right, and the equivalent joins with ON and an explicit merged column.
 */
final class MergedJoinCheck {
  private static final int JOINS_MAX = 4;

  private final Dice dice;
  private final ExpressionMaker expressions;
  private final DataType type;
  private int relations;

  MergedJoinCheck(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.expressions = new ExpressionMaker(dice, tables, false);
    this.type = dice.of(DataType.INTEGER, DataType.BIGINT, DataType.VARCHAR, DataType.DATE);
  }

  /** The query in both forms. */
  record Forms(GeneratedStatement merged, GeneratedStatement written) {}

  /**
   * A relation in both forms.
   *
   * @param key the merged column, as an expression
   * @param others columns that are not merged
   */
  private record Relation(String merged, String written, String key, List<String> others) {}

  Forms forms() {
    Relation joined = table();
    for (int i = 1 + dice.below(JOINS_MAX); i > 0; i--) {
      joined = dice.chance(80) ? join(joined, table()) : join(table(), parenthesised(joined));
    }
    String others = ", " + String.join(", ", joined.others);
    String condition = dice.of("", "", " WHERE %s IS NOT NULL", " WHERE COALESCE(%s, %s) = %s");
    String select = dice.of("SELECT %s" + others, "SELECT COUNT(*), COUNT(%s), MAX(%s)");
    String group = select.contains("COUNT") && dice.chance(60) ? " GROUP BY %s ORDER BY %s" : "";
    return new Forms(
        statement(select, joined.merged, condition + group, "k"),
        statement(select, joined.written, condition + group, joined.key));
  }

  private GeneratedStatement statement(String select, String from, String rest, String key) {
    return expressions.statement(
        select.replace("%s", key) + " FROM " + from + rest.replace("%s", key), false);
  }

  private Relation table() {
    Source source = expressions.source();
    String alias = "s" + relations++;
    String value = "v" + alias;
    String text =
        "(SELECT "
            + expressions.of(type, List.of(source), 1)
            + " AS k, "
            + expressions.literal(DataType.INTEGER)
            + " AS "
            + value
            + " FROM "
            + source
            + ") "
            + alias;
    return new Relation(text, text, alias + ".k", new ArrayList<>(List.of(value)));
  }

  private static Relation parenthesised(Relation joined) {
    if (joined.others.size() == 1) {
      return joined;
    }
    return new Relation(
        "(" + joined.merged + ")", "(" + joined.written + ")", joined.key, joined.others);
  }

  private Relation join(Relation left, Relation right) {
    String kind = dice.of(" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ");
    boolean natural = dice.chance(30);
    List<String> others = new ArrayList<>(left.others);
    others.addAll(right.others);
    String key =
        switch (kind) {
          case " RIGHT JOIN " -> right.key;
          case " FULL JOIN " -> "COALESCE(" + left.key + ", " + right.key + ")";
          default -> left.key;
        };
    return new Relation(
        left.merged
            + (natural ? " NATURAL" : "")
            + kind
            + right.merged
            + (natural ? "" : " USING (k)"),
        left.written + kind + right.written + " ON " + left.key + " = " + right.key,
        key,
        others);
  }
}
