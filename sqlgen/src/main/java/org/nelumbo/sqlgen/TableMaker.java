package org.nelumbo.sqlgen;

import java.util.List;

/** A generator of definitions of tables, and changes of them. */
final class TableMaker {
  private static final int COLUMNS_MAX = 9;

  /**
   * Placeholder for STORED, which PostgreSQL requires after a generated column, and H2 does not
   * accept.
   */
  static final String STORED = "/*STORED*/";

  private final Dice dice;
  private final List<Table> tables;

  /**
   * Creates a generator of tables.
   *
   * @param tables existing tables, which foreign keys may reference
   */
  TableMaker(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.tables = tables;
  }

  Table table(String name) {
    Table table = new Table(name, dice.chance(75));
    table.columns.add(new Column("id", DataType.INTEGER, false));
    for (int i = 2 + dice.below(5); i > 0; i--) {
      table.columns.add(column(table));
    }
    List<Table> keyed = tables.stream().filter(each -> each.keyed).toList();
    if (!keyed.isEmpty() && dice.chance(50)) {
      Column column = new Column(table.newName("c"), DataType.INTEGER, true);
      table.columns.add(column);
      table.references.put(column.name(), dice.any(keyed));
      table.onDelete.put(
          column.name(), dice.of("", "", " ON DELETE CASCADE", " ON DELETE SET NULL"));
    }
    if (dice.chance(30)) {
      table.columns.add(generated(table));
    }
    if (dice.chance(25)) {
      table.unique.add(dice.any(table.columns).name());
    }
    return table;
  }

  /** Returns a column that is computed from another one and cannot fail. */
  private Column generated(Table table) {
    Column base = dice.any(table.columns.subList(1, table.columns.size()));
    table.bases.add(base.name());
    String name = table.newName("c");
    return switch (dice.below(3)) {
      case 0 -> new Column(name, base.type(), true, base.name());
      case 1 ->
          new Column(
              name,
              base.type(),
              true,
              "COALESCE(" + base.name() + ", " + Constant.of(base.type(), dice).literal() + ")");
      default ->
          new Column(
              name, DataType.INTEGER, true, "CASE WHEN " + base.name() + " IS NULL THEN 1 END");
    };
  }

  private Column column(Table table) {
    return new Column(table.newName("c"), dice.of(DataType.values()), !dice.chance(10));
  }

  static String create(Table table) {
    StringBuilder sql = new StringBuilder("CREATE TABLE " + table.name + " (");
    for (Column column : table.columns) {
      sql.append(column.name()).append(' ').append(column.type().sqlName());
      sql.append(column.nullable() ? "" : " NOT NULL");
      if (column.generation() != null) {
        sql.append(" GENERATED ALWAYS AS (").append(column.generation()).append(") ");
        sql.append(STORED);
      }
      sql.append(table.unique.contains(column.name()) ? " UNIQUE, " : ", ");
    }
    table.references.forEach(
        (column, to) ->
            sql.append("FOREIGN KEY (")
                .append(column)
                .append(") REFERENCES ")
                .append(to.name)
                .append(" (id)")
                .append(table.onDelete.getOrDefault(column, ""))
                .append(", "));
    sql.setLength(sql.length() - 2);
    return sql.append(table.keyed ? ", PRIMARY KEY (id))" : ")").toString();
  }

  /**
   * A change of a definition.
   *
   * @param statement statement of the change
   * @param whenMade updates the table after a successful change
   */
  record Definition(GeneratedStatement statement, Runnable whenMade) {}

  Definition change(Table table) {
    List<Column> others =
        table.columns.stream()
            .skip(1)
            .filter(column -> !table.references.containsKey(column.name()))
            .filter(column -> column.generation() == null)
            .filter(column -> !table.bases.contains(column.name()))
            .toList();
    Column column = others.isEmpty() ? null : dice.any(others);
    String alter = "ALTER TABLE " + table.name;
    return switch (column == null ? 0 : dice.below(13)) {
      case 0 -> addColumn(table, alter);
      case 1, 2, 3 -> createIndex(table, column);
      case 4 -> dropIndex(table);
      case 5 -> {
        Column required = new Column(column.name(), column.type(), false);
        yield definition(
            alter + " ALTER COLUMN " + column.name() + " SET NOT NULL",
            true,
            () -> table.columns.set(table.columns.indexOf(column), required));
      }
      case 6 -> table.isFree(column) ? setType(table, column, alter) : dropConstraint(table, alter);
      case 8, 9 -> addConstraint(table, column, alter);
      case 10 -> dropConstraint(table, alter);
      case 7 ->
          table.indexes.isEmpty() && table.isFree(column)
              ? definition(
                  alter + " DROP COLUMN " + column.name(),
                  false,
                  () -> table.columns.remove(column))
              : dropIndex(table);
      case 11 ->
          definition(
              "COMMENT ON COLUMN " + table.name + "." + column.name() + " IS 'of a generator'",
              false,
              () -> {});
      default -> definition("TRUNCATE TABLE " + table.name, false, () -> {});
    };
  }

  private static Definition definition(String sql, boolean fallible, Runnable whenMade) {
    return new Definition(new GeneratedStatement(sql, List.of(), fallible, false), whenMade);
  }

  private Definition addColumn(Table table, String alter) {
    if (table.columns.size() >= COLUMNS_MAX) {
      return definition("TRUNCATE TABLE " + table.name, false, () -> {});
    }
    Column column = new Column(table.newName("c"), dice.of(DataType.values()), true);
    String initial =
        dice.chance(50) ? " DEFAULT " + Constant.of(column.type(), dice).literal() : "";
    return definition(
        alter + " ADD COLUMN " + column.name() + " " + column.type().sqlName() + initial,
        false,
        () -> table.columns.add(column));
  }

  private Definition createIndex(Table table, Column column) {
    String name = table.name + table.newName("_i");
    boolean unique = dice.chance(25);
    Column second = dice.any(table.columns);
    String columns =
        second.name().equals(column.name()) || dice.chance(50)
            ? column.name()
            : column.name() + ", " + second.name();
    return definition(
        "CREATE "
            + (unique ? "UNIQUE " : "")
            + "INDEX "
            + name
            + " ON "
            + table.name
            + " ("
            + columns
            + ")",
        unique,
        () -> {
          table.indexes.add(name);
          if (unique) {
            table.unique.add(column.name());
            table.unique.add(second.name());
          }
        });
  }

  private Definition dropIndex(Table table) {
    if (table.indexes.isEmpty()) {
      return definition("TRUNCATE TABLE " + table.name, false, () -> {});
    }
    String index = dice.any(table.indexes);
    return definition("DROP INDEX " + index, false, () -> table.indexes.remove(index));
  }

  /** Adds a constraint that existing rows may violate. */
  private Definition addConstraint(Table table, Column column, String alter) {
    String name = table.name + table.newName("_k");
    String text =
        switch (dice.below(column.type() == DataType.INTEGER ? 3 : 2)) {
          case 0 -> "UNIQUE (" + column.name() + ")";
          case 1 ->
              "CHECK ("
                  + column.name()
                  + dice.of(" <> ", " >= ")
                  + Constant.of(column.type(), dice).literal()
                  + ")";
          default ->
              "FOREIGN KEY (" + column.name() + ") REFERENCES " + dice.any(tables).name + " (id)";
        };
    return definition(
        alter + " ADD CONSTRAINT " + name + " " + text,
        true,
        () -> {
          table.constraints.put(name, column.name());
          if (text.startsWith("UNIQUE")) {
            table.unique.add(column.name());
          }
        });
  }

  private Definition dropConstraint(Table table, String alter) {
    if (table.constraints.isEmpty()) {
      return dropIndex(table);
    }
    String name = dice.any(List.copyOf(table.constraints.keySet()));
    return definition(
        alter + " DROP CONSTRAINT " + name, false, () -> table.constraints.remove(name));
  }

  /** Changes INTEGER to BIGINT or back, which may fail for some rows. */
  private static Definition setType(Table table, Column column, String alter) {
    DataType type =
        switch (column.type()) {
          case INTEGER -> DataType.BIGINT;
          case BIGINT -> DataType.INTEGER;
          default -> column.type();
        };
    Column changed = new Column(column.name(), type, column.nullable());
    return definition(
        alter + " ALTER COLUMN " + column.name() + " SET DATA TYPE " + type.sqlName(),
        true,
        () -> table.columns.set(table.columns.indexOf(column), changed));
  }
}
