package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A generator of changes of rows. */
final class ChangeMaker {
  private static final int IDS_MAX = 60;

  private final Dice dice;
  private final List<Table> tables;

  ChangeMaker(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.tables = tables;
  }

  GeneratedStatement change(Table table) {
    return switch (dice.below(5)) {
      case 0, 1 -> insert(table, 1 + dice.below(4));
      case 2, 3 -> update(table);
      default -> delete(table);
    };
  }

  /**
   * Generates an insert. Most rows have new keys; some have an existing key, or NULL where it is
   * not allowed.
   */
  GeneratedStatement insert(Table table, int count) {
    List<String> rows = new ArrayList<>();
    boolean fallible = false;
    for (int i = 0; i < count; i++) {
      List<String> values = new ArrayList<>();
      for (Column column : table.columns) {
        if (column.generation() != null) {
          values.add("DEFAULT");
          continue;
        }
        boolean id = column.name().equals("id");
        if (dice.chance(column.nullable() ? 20 : 1)) {
          values.add("NULL");
          fallible |= !column.nullable();
        } else {
          values.add(id ? Integer.toString(newId(table)) : value(table, column));
        }
      }
      rows.add("(" + String.join(", ", values) + ")");
    }
    return new GeneratedStatement(
        "INSERT INTO " + table.name + " VALUES " + String.join(", ", rows),
        List.of(),
        fallible,
        false);
  }

  private int newId(Table table) {
    int id =
        table.ids.isEmpty() || dice.chance(85)
            ? dice.below(dice.chance(50) ? 1_000_000 : 40)
            : dice.any(table.ids);
    if (table.ids.size() < IDS_MAX) {
      table.ids.add(id);
    }
    return id;
  }

  /** A foreign key mostly has an existing id. */
  private String value(Table table, Column column) {
    Table referred = table.references.get(column.name());
    return referred != null && !referred.ids.isEmpty() && dice.chance(90)
        ? dice.any(referred.ids).toString()
        : Constant.of(column.type(), dice).literal();
  }

  private GeneratedStatement update(Table table) {
    ExpressionMaker expressions = new ExpressionMaker(dice, tables, true);
    // the table's own name as an alias: some databases do not allow an alias for SET columns
    List<Source> sources = List.of(new Source(table, table.name));
    List<String> set = new ArrayList<>();
    boolean fallible = false;
    for (int i = 1 + dice.below(2); i > 0; i--) {
      Column column = dice.any(table.columns);
      if (column.generation() == null
          && set.stream().noneMatch(each -> each.startsWith(column.name() + " ="))
          && (!column.name().equals("id") || dice.chance(20))) {
        String value =
            table.references.containsKey(column.name()) && dice.chance(70)
                ? value(table, column)
                : expressions.of(column.type(), sources, 2);
        set.add(column.name() + " = " + value);
        fallible |= mayBeRefused(table, column);
      }
    }
    if (set.isEmpty()) {
      return delete(table);
    }
    String where = dice.chance(90) ? " WHERE " + expressions.condition(sources, 2) : "";
    GeneratedStatement made =
        expressions.statement(
            "UPDATE " + table.name + " SET " + String.join(", ", set) + where, false);
    return new GeneratedStatement(
        made.template(), made.constants(), made.fallible() || fallible, false);
  }

  /**
   * Returns true if some databases may refuse a row's new value and others not: a text may become
   * too long, NULL may be set where it is not allowed, or uniqueness may hold only before or only
   * after the change of another row.
   */
  private static boolean mayBeRefused(Table table, Column column) {
    return column.type() == DataType.VARCHAR
        || !column.nullable()
        || table.unique.contains(column.name());
  }

  private GeneratedStatement delete(Table table) {
    ExpressionMaker expressions = new ExpressionMaker(dice, tables, true);
    List<Source> sources = List.of(new Source(table, table.name));
    String where =
        expressions.condition(sources, 2)
            + (dice.chance(70) ? " AND MOD(" + table.name + ".id, 3) = 1" : "");
    return expressions.statement("DELETE FROM " + table.name + " WHERE " + where, false);
  }
}
