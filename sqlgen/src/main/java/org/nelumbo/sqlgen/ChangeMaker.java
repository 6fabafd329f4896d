package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** Writes changes of rows. */
final class ChangeMaker {
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

  /** Rows with new keys mostly; some have a key that is there, or NULL where it may not be. */
  GeneratedStatement insert(Table table, int count) {
    List<String> rows = new ArrayList<>();
    boolean fallible = false;
    for (int i = 0; i < count; i++) {
      List<String> values = new ArrayList<>();
      for (Column column : table.columns) {
        boolean id = column.name().equals("id");
        if (dice.chance(column.nullable() ? 20 : 1)) {
          values.add("NULL");
          fallible |= !column.nullable();
        } else {
          values.add(
              id
                  ? Integer.toString(dice.below(dice.chance(90) ? 1_000_000 : 20))
                  : Constant.of(column.type(), dice).literal());
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

  private GeneratedStatement update(Table table) {
    ExpressionMaker expressions = new ExpressionMaker(dice, tables, true);
    // the table's own name as an alias: what is set may not have one in some databases
    List<Source> sources = List.of(new Source(table, table.name));
    List<String> set = new ArrayList<>();
    for (int i = 1 + dice.below(2); i > 0; i--) {
      Column column = dice.any(table.columns);
      if (set.stream().noneMatch(each -> each.startsWith(column.name() + " ="))
          && (!column.name().equals("id") || dice.chance(20))) {
        set.add(column.name() + " = " + expressions.of(column.type(), sources, 2));
      }
    }
    if (set.isEmpty()) {
      return delete(table);
    }
    String where = dice.chance(90) ? " WHERE " + expressions.condition(sources, 2) : "";
    GeneratedStatement made =
        expressions.statement(
            "UPDATE " + table.name + " SET " + String.join(", ", set) + where, false);
    // texts may get too long, NULL may be set where it may not be
    return new GeneratedStatement(made.template(), made.constants(), true, false);
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
