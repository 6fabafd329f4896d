package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A sequence of statements on its own tables and views. */
final class Scenario {
  private final Dice dice;
  private final List<String> tables = new ArrayList<>();
  private final List<GeneratedStatement> statements = new ArrayList<>();
  private final List<Constant> constants = new ArrayList<>();

  Scenario(Dice dice) {
    this.dice = dice;
  }

  /** Returns the names of the tables, to be dropped with all dependent objects. */
  List<String> tables() {
    return tables;
  }

  List<GeneratedStatement> statements() {
    return statements;
  }

  void create(String table, String columns) {
    tables.add(table);
    add("CREATE TABLE " + table + " (" + columns + ")", false);
  }

  void fill(String table, List<String> rows) {
    add("INSERT INTO " + table + " VALUES " + String.join(", ", rows), false);
  }

  /** Adds a change of a table, and a query of all of its rows. */
  void change(String table, String text) {
    add(text, false);
    add("SELECT * FROM " + table, false);
  }

  /** Adds a statement that may only fail if it fails in all databases. */
  void add(String text, boolean ordered) {
    statements.add(new GeneratedStatement(text, List.copyOf(constants), false, ordered));
    constants.clear();
  }

  /** Returns the text of a constant for the next statement, often a parameter. */
  String constant(Constant constant) {
    if (constant.value() == null || dice.chance(40)) {
      return constant.literal();
    }
    constants.add(constant);
    return GeneratedStatement.mark(constants.size() - 1);
  }
}
