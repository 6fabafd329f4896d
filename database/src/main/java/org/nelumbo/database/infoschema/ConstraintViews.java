package org.nelumbo.database.infoschema;

import static org.nelumbo.database.infoschema.StandardView.CATALOG;
import static org.nelumbo.database.infoschema.StandardView.row;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;

/** The views about constraints. NOT NULL has no name and is a property of columns, as in H2. */
final class ConstraintViews {
  private static final String OF_CONSTRAINT =
      "CONSTRAINT_CATALOG CONSTRAINT_SCHEMA CONSTRAINT_NAME";
  private static final String OF_TABLE = "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME";

  private final Catalog catalog;

  ConstraintViews(Catalog catalog) {
    this.catalog = catalog;
  }

  void register() {
    StandardView.add(
        catalog,
        "TABLE_CONSTRAINTS",
        this::tableConstraints,
        OF_CONSTRAINT,
        OF_TABLE,
        "CONSTRAINT_TYPE IS_DEFERRABLE INITIALLY_DEFERRED ENFORCED NULLS_DISTINCT REMARKS");
    StandardView.add(
        catalog,
        "KEY_COLUMN_USAGE",
        this::keyColumns,
        OF_CONSTRAINT,
        OF_TABLE,
        "COLUMN_NAME ORDINAL_POSITION# POSITION_IN_UNIQUE_CONSTRAINT#");
    StandardView.add(
        catalog,
        "REFERENTIAL_CONSTRAINTS",
        this::referentialConstraints,
        OF_CONSTRAINT,
        "UNIQUE_CONSTRAINT_CATALOG UNIQUE_CONSTRAINT_SCHEMA UNIQUE_CONSTRAINT_NAME MATCH_OPTION",
        "UPDATE_RULE DELETE_RULE");
    StandardView.add(
        catalog, "CHECK_CONSTRAINTS", this::checkConstraints, OF_CONSTRAINT, "CHECK_CLAUSE");
    StandardView.add(
        catalog,
        "CONSTRAINT_COLUMN_USAGE",
        this::constraintColumns,
        OF_TABLE,
        "COLUMN_NAME",
        OF_CONSTRAINT);
    StandardView.add(
        catalog, "CONSTRAINT_TABLE_USAGE", this::constraintTables, OF_TABLE, OF_CONSTRAINT);
  }

  /**
   * A primary key or a UNIQUE constraint; the index of CREATE UNIQUE INDEX is not a constraint.
   *
   * @param columns ordinals in key order
   */
  private record UniqueKey(String name, int[] columns, boolean primary) {}

  private static List<UniqueKey> uniqueKeys(TableDefinition table) {
    List<UniqueKey> keys = new ArrayList<>();
    if (table.hiddenColumn() < 0) {
      keys.add(new UniqueKey(table.primaryKeyName(), table.primaryKey(), true));
    }
    for (IndexDefinition index : table.indexes()) {
      if (index.constraint()) {
        keys.add(new UniqueKey(index.schema().name(), index.schema().columns(), false));
      }
    }
    return keys;
  }

  /** Returns null if the key references the columns of an index without a constraint. */
  private static UniqueKey referred(TableDefinition parent, ForeignKeyDefinition key) {
    for (UniqueKey each : uniqueKeys(parent)) {
      if (sorted(each.columns).equals(sorted(key.referencedColumns()))) {
        return each;
      }
    }
    return null;
  }

  private static List<Integer> sorted(int[] columns) {
    return IntStream.of(columns).sorted().boxed().toList();
  }

  private static String name(TableDefinition table, int column) {
    return table.columns().get(column).name();
  }

  private List<TableDefinition> tables(CatalogState state) {
    return state.tables().stream()
        .map(TableEntry::definition)
        .filter(table -> !TemporarySchema.isTemporary(table.schema()))
        .toList();
  }

  private List<Object[]> tableConstraints() {
    List<Object[]> rows = new ArrayList<>();
    for (TableDefinition table : tables(catalog.state())) {
      for (UniqueKey key : uniqueKeys(table)) {
        String type = key.primary ? "PRIMARY KEY" : "UNIQUE";
        rows.add(tableConstraint(table, key.name, type, key.primary ? null : (Object) true));
      }
      for (ForeignKeyDefinition key : table.foreignKeys()) {
        rows.add(tableConstraint(table, key.name(), "FOREIGN KEY", null));
      }
      for (CheckDefinition check : table.checks()) {
        rows.add(tableConstraint(table, check.name(), "CHECK", null));
      }
    }
    return rows;
  }

  private static Object[] tableConstraint(
      TableDefinition table, String name, String type, Object nullsDistinct) {
    return row(
        CATALOG,
        table.schema(),
        name,
        CATALOG,
        table.schema(),
        table.name(),
        type,
        false,
        false,
        true,
        nullsDistinct,
        table.comments().of(Comments.Part.CONSTRAINT, name));
  }

  private List<Object[]> keyColumns() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (TableDefinition table : tables(state)) {
      for (UniqueKey key : uniqueKeys(table)) {
        addKey(rows, table, key.name, key.columns, _ -> null);
      }
      for (ForeignKeyDefinition key : table.foreignKeys()) {
        UniqueKey referred = referred(state.table(key.referencedTable()).definition(), key);
        List<Integer> there =
            referred == null ? List.of() : IntStream.of(referred.columns).boxed().toList();
        addKey(
            rows,
            table,
            key.name(),
            key.columns(),
            i -> referred == null ? null : there.indexOf(key.referencedColumns()[i]) + 1);
      }
    }
    return rows;
  }

  private static void addKey(
      List<Object[]> rows,
      TableDefinition table,
      String name,
      int[] columns,
      Function<Integer, Integer> positionThere) {
    for (int i = 0; i < columns.length; i++) {
      rows.add(
          row(
              CATALOG,
              table.schema(),
              name,
              CATALOG,
              table.schema(),
              table.name(),
              name(table, columns[i]),
              i + 1,
              positionThere.apply(i)));
    }
  }

  private List<Object[]> referentialConstraints() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (TableDefinition table : tables(state)) {
      for (ForeignKeyDefinition key : table.foreignKeys()) {
        TableDefinition parent = state.table(key.referencedTable()).definition();
        UniqueKey referred = referred(parent, key);
        rows.add(
            row(
                CATALOG,
                table.schema(),
                key.name(),
                referred == null ? null : CATALOG,
                referred == null ? null : parent.schema(),
                referred == null ? null : referred.name,
                "NONE",
                rule(key.onUpdate().name()),
                rule(key.onDelete().name())));
      }
    }
    return rows;
  }

  private static String rule(String action) {
    return action.replace('_', ' ');
  }

  private List<Object[]> checkConstraints() {
    List<Object[]> rows = new ArrayList<>();
    for (TableDefinition table : tables(catalog.state())) {
      for (CheckDefinition check : table.checks()) {
        rows.add(row(CATALOG, table.schema(), check.name(), check.text()));
      }
    }
    return rows;
  }

  private List<Object[]> constraintColumns() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (TableDefinition table : tables(state)) {
      for (UniqueKey key : uniqueKeys(table)) {
        addColumns(rows, table, names(table, key.columns), table, key.name);
      }
      for (ForeignKeyDefinition key : table.foreignKeys()) {
        TableDefinition parent = state.table(key.referencedTable()).definition();
        addColumns(rows, parent, names(parent, key.referencedColumns()), table, key.name());
      }
      for (CheckDefinition check : table.checks()) {
        addColumns(rows, table, columnsOf(check, table), table, check.name());
      }
    }
    return rows;
  }

  private static List<String> names(TableDefinition table, int[] columns) {
    return IntStream.of(columns).mapToObj(column -> name(table, column)).toList();
  }

  private static Set<String> columnsOf(CheckDefinition check, TableDefinition table) {
    Set<String> named = new TreeSet<>();
    SqlParsing.parseExpression(check.text())
        .accept(
            new SqlBasicVisitor<Void>() {
              @Override
              public Void visit(SqlIdentifier identifier) {
                named.add(identifier.names.getLast());
                return null;
              }
            });
    named.retainAll(names(table, IntStream.range(0, table.visibleColumns()).toArray()));
    return named;
  }

  private static void addColumns(
      List<Object[]> rows,
      TableDefinition table,
      Iterable<String> columns,
      TableDefinition owner,
      String constraint) {
    for (String column : columns) {
      rows.add(
          row(CATALOG, table.schema(), table.name(), column, CATALOG, owner.schema(), constraint));
    }
  }

  private List<Object[]> constraintTables() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (TableDefinition table : tables(state)) {
      uniqueKeys(table).forEach(key -> rows.add(constraintTable(table, table, key.name)));
      for (ForeignKeyDefinition key : table.foreignKeys()) {
        TableDefinition parent = state.table(key.referencedTable()).definition();
        rows.add(constraintTable(parent, table, key.name()));
      }
      table.checks().forEach(check -> rows.add(constraintTable(table, table, check.name())));
    }
    return rows;
  }

  private static Object[] constraintTable(
      TableDefinition table, TableDefinition owner, String constraint) {
    return row(CATALOG, table.schema(), table.name(), CATALOG, owner.schema(), constraint);
  }
}
