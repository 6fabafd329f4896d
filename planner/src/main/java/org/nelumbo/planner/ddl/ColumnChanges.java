package org.nelumbo.planner.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.sql.SqlIdentifier;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.physical.CopyPlanner;
import org.nelumbo.planner.sql.SqlErrors;
import org.nelumbo.planner.sql.SqlFrontEnd;
import org.nelumbo.sql.SqlText;
import org.nelumbo.sql.ast.AddColumn;
import org.nelumbo.sql.ast.AlterColumn;
import org.nelumbo.sql.ast.DropColumn;
import org.nelumbo.sql.ast.RenameColumn;

/** ALTER TABLE for columns. Names and defaults are only noted; everything else copies the rows into a table of the new form, which then takes the old one's place. */
final class ColumnChanges {
  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final StoreBuilder stores;
  private final Gates gates;
  private final Maintenance maintenance;

  ColumnChanges(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      StoreBuilder stores,
      Gates gates,
      Maintenance maintenance) {
    this.catalog = catalog;
    this.frontEnd = frontEnd;
    this.stores = stores;
    this.gates = gates;
    this.maintenance = maintenance;
  }

  private static int ordinal(TableEntry table, SqlIdentifier name) {
    int ordinal = find(table, name);
    if (ordinal < 0) {
      throw Names.noColumn(name, table.name());
    }
    return ordinal;
  }

  private static int find(TableEntry table, SqlIdentifier name) {
    int ordinal = table.schema().ordinal(Names.simple(name));
    return ordinal < table.columns().size() ? ordinal : -1;
  }

  void add(TableEntry table, AddColumn add, long timeoutNanos) {
    if (find(table, add.column().name()) >= 0) {
      if (add.ifNotExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.COLUMN_EXISTS,
          "Column '" + add.column().name() + "' exists already in table '" + table.name() + "'",
          add.column().getParserPosition());
    }
    if (add.column().identity() != null || !add.column().constraints().isEmpty()) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "a new column cannot have constraints or be an identity; add constraints after it",
          add.column().getParserPosition());
    }
    Column column = column(table, add);
    int at = table.columns().size();
    List<Column> columns = new ArrayList<>(table.definition().columns());
    columns.add(at, column);
    TableDefinition definition =
        changed(table.definition(), columns, old -> old < at ? old : old + 1);
    int[] sources = new int[columns.size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = i < at ? i : i == at ? -1 : i - 1;
    }
    rebuild(table, definition, sources, timeoutNanos);
  }

  private Column column(TableEntry table, AddColumn add) {
    ColumnType type =
        frontEnd
            .columnType(add.column().type(), catalog.state(), table.schemaName())
            .withNullable(!add.column().isNotNull());
    String text = null;
    if (add.column().defaultValue() != null) {
      text = SqlText.of(add.column().defaultValue());
      frontEnd.checkDefault(
          add.column().defaultValue(), type, catalog.state(), table.schemaName());
    }
    return new Column(Names.simple(add.column().name()), type, text, false, false);
  }

  void drop(TableEntry table, DropColumn drop, long timeoutNanos) {
    int at = ordinal(table, drop.column());
    checkUnused(table, at, drop.column());
    List<Column> columns = new ArrayList<>(table.definition().columns());
    columns.remove(at);
    if (columns.isEmpty() || columns.getFirst().hidden()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "the only column of a table cannot be dropped",
          drop.getParserPosition());
    }
    TableDefinition definition =
        changed(table.definition(), columns, old -> old < at ? old : old - 1);
    checkConditions(definition);
    int[] sources = new int[columns.size()];
    Arrays.setAll(sources, i -> i < at ? i : i + 1);
    rebuild(table, definition, sources, timeoutNanos);
  }

  private void checkUnused(TableEntry table, int column, SqlIdentifier name) {
    TableDefinition definition = table.definition();
    String user = contains(definition.primaryKey(), column) ? "the primary key" : null;
    for (IndexDefinition index : definition.indexes()) {
      user = contains(index.schema().columns(), column) ? "index " + index.schema().name() : user;
    }
    for (ForeignKeyDefinition key : definition.foreignKeys()) {
      user = contains(key.columns(), column) ? "foreign key " + key.name() : user;
    }
    for (TableEntry child : catalog.state().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        boolean refers =
            key.referencedTable() == table.id() && contains(key.referencedColumns(), column);
        user = refers ? "foreign key " + key.name() + " of " + child : user;
      }
    }
    if (user != null) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_IN_USE,
          "column " + name + " is used by " + user + "; drop that first",
          name.getParserPosition());
    }
  }

  private static boolean contains(int[] columns, int column) {
    return Arrays.stream(columns).anyMatch(each -> each == column);
  }

  private void checkConditions(TableDefinition definition) {
    definition
        .checks()
        .forEach(
            check ->
                frontEnd.checkCondition(
                    check.text(), definition, catalog.state(), definition.schema()));
  }

  void rename(TableEntry table, RenameColumn rename, long timeoutNanos) {
    int at = ordinal(table, rename.column());
    if (find(table, rename.newName()) >= 0) {
      throw SqlErrors.at(
          ErrorCode.COLUMN_EXISTS,
          "Column '" + rename.newName() + "' exists already in table '" + table.name() + "'",
          rename.newName().getParserPosition());
    }
    Column old = table.columns().get(at);
    List<Column> columns = new ArrayList<>(table.definition().columns());
    columns.set(
        at,
        new Column(
            Names.simple(rename.newName()), old.type(), old.defaultText(), old.identity(), false));
    TableDefinition definition = changed(table.definition(), columns, IntUnaryOperator.identity());
    checkConditions(definition);
    rebuild(table, definition, identity(columns.size()), timeoutNanos);
  }

  private static int[] identity(int count) {
    int[] sources = new int[count];
    Arrays.setAll(sources, i -> i);
    return sources;
  }

  void alter(TableEntry table, AlterColumn alter, long timeoutNanos) {
    int at = ordinal(table, alter.column());
    Column old = table.columns().get(at);
    Column changed =
        switch (alter.action()) {
          case SET_DEFAULT -> {
            String text = SqlText.of(alter.newDefault());
            frontEnd.checkDefault(
                alter.newDefault(), old.type(), catalog.state(), table.schemaName());
            yield new Column(old.name(), old.type(), text, old.identity(), false);
          }
          case DROP_DEFAULT -> new Column(old.name(), old.type(), null, old.identity(), false);
          case SET_NOT_NULL -> withType(old, old.type().withNullable(false));
          case DROP_NOT_NULL -> nullable(table, old, at, alter);
          case SET_TYPE ->
              withType(
                  old,
                  frontEnd
                      .columnType(alter.newType(), catalog.state(), table.schemaName())
                      .withNullable(old.type().nullable()));
        };
    List<Column> columns = new ArrayList<>(table.definition().columns());
    columns.set(at, changed);
    TableDefinition definition = table.definition().withColumns(columns);
    if (changed.type().equals(old.type())) {
      gates.closed(
          table,
          timeoutNanos,
          () -> catalog.replaceTable(table, definition, table.store()));
    } else {
      checkConditions(definition);
      rebuild(table, definition, identity(columns.size()), timeoutNanos);
    }
  }

  private static Column withType(Column old, ColumnType type) {
    return new Column(old.name(), type, old.defaultText(), old.identity(), false);
  }

  private static Column nullable(TableEntry table, Column old, int at, AlterColumn alter) {
    if (contains(table.definition().primaryKey(), at) || old.identity()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + old.name() + " is a key or identity column and cannot be NULL",
          alter.getParserPosition());
    }
    return withType(old, old.type().orNull());
  }

  /** The definition with other columns; {@code moved} tells where an old column is now. */
  private static TableDefinition changed(
      TableDefinition old, List<Column> columns, IntUnaryOperator moved) {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (IndexDefinition index : old.indexes()) {
      IndexSchema schema = index.schema();
      indexes.add(
          new IndexDefinition(
              new IndexSchema(
                  schema.id(),
                  schema.name(),
                  schema.unique(),
                  map(schema.columns(), moved),
                  schema.descending()),
              index.constraint(),
              0));
    }
    List<ForeignKeyDefinition> keys = new ArrayList<>();
    for (ForeignKeyDefinition key : old.foreignKeys()) {
      boolean self = key.referencedTable() == old.id();
      keys.add(
          new ForeignKeyDefinition(
              key.name(),
              map(key.columns(), moved),
              key.referencedTable(),
              self ? map(key.referencedColumns(), moved) : key.referencedColumns()));
    }
    IdentityDefinition identity = old.identity();
    if (identity != null) {
      identity =
          new IdentityDefinition(
              moved.applyAsInt(identity.column()),
              identity.always(),
              identity.start(),
              identity.increment());
    }
    return new TableDefinition(
        old.id(),
        old.schema(),
        old.name(),
        columns,
        map(old.primaryKey(), moved),
        old.primaryKeyName(),
        moved.applyAsInt(old.critical()),
        old.versions(),
        old.ordered(),
        identity,
        indexes,
        old.checks(),
        keys,
        0,
        0);
  }

  private static int[] map(int[] columns, IntUnaryOperator moved) {
    return Arrays.stream(columns).map(moved).toArray();
  }

  /** Copies the rows into a new store, and lets it take the old one's place. */
  private void rebuild(
      TableEntry table, TableDefinition definition, int[] sources, long timeoutNanos) {
    checkReferences(table, definition, sources);
    gates.closed(
        table,
        timeoutNanos,
        () -> {
          TableStore store = stores.create(definition);
          boolean copied = false;
          try {
            maintenance.run(
                CopyPlanner.plan(
                    frontEnd, catalog.state(), table, definition, store, sources));
            copied = true;
          } finally {
            if (!copied) {
              stores.drop(store);
            }
          }
          catalog.replaceTable(table, StoreBuilder.withRoots(definition, store), store);
          stores.drop(table.store());
        });
  }

  /** Foreign keys of other tables name columns by their position, which must stay. */
  private void checkReferences(TableEntry table, TableDefinition definition, int[] sources) {
    for (TableEntry child : catalog.state().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        boolean other = key.referencedTable() == table.id() && child.id() != definition.id();
        for (int column : key.referencedColumns()) {
          if (other && sources[column] != column) {
            throw new NelumboException(
                ErrorCode.OBJECT_IN_USE,
                "foreign key " + key.name() + " of " + child
                    + " refers to columns that would move; drop it first");
          }
        }
      }
    }
  }
}
