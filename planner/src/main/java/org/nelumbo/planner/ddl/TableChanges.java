package org.nelumbo.planner.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.sql.SqlErrors;
import org.nelumbo.planner.sql.SqlFrontEnd;
import org.nelumbo.sql.SqlText;
import org.nelumbo.sql.ast.AddConstraint;
import org.nelumbo.sql.ast.AlterColumn;
import org.nelumbo.sql.ast.AlterTable;
import org.nelumbo.sql.ast.DropConstraint;
import org.nelumbo.sql.ast.RenameTable;
import org.nelumbo.sql.ast.UniqueConstraint;

/**
 * ALTER TABLE, as far as rows stay as they are: names, defaults, UNIQUE constraints and the
 * dropping of constraints.
 */
final class TableChanges {
  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final StoreBuilder stores;
  private final Gates gates;

  TableChanges(Catalog catalog, SqlFrontEnd frontEnd, StoreBuilder stores, Gates gates) {
    this.catalog = catalog;
    this.frontEnd = frontEnd;
    this.stores = stores;
    this.gates = gates;
  }

  void run(AlterTable alter, String schema, long timeoutNanos) {
    TableEntry table = Names.find(catalog.state(), alter.name(), schema);
    if (table == null) {
      if (alter.ifExists()) {
        return;
      }
      Names.table(catalog.state(), alter.name(), schema);
    }
    switch (alter.change()) {
      case RenameTable rename -> rename(table, rename, timeoutNanos);
      case AlterColumn column -> alterColumn(table, column, timeoutNanos);
      case AddConstraint add -> add(table, add, timeoutNanos);
      case DropConstraint drop -> drop(table, drop, timeoutNanos);
      default ->
          throw SqlErrors.at(
              ErrorCode.UNSUPPORTED,
              "this ALTER TABLE is not supported; create a new table and INSERT ... SELECT",
              alter.getParserPosition());
    }
  }

  private void replace(TableEntry table, long timeoutNanos, UnaryOperator<TableDefinition> change) {
    gates.closed(
        table,
        timeoutNanos,
        () -> catalog.replaceTable(table, change.apply(table.definition()), table.store()));
  }

  private void rename(TableEntry table, RenameTable rename, long timeoutNanos) {
    String name = Names.simple(rename.newName());
    if (catalog.state().relation(table.schemaName(), name) != null) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "Table '" + name + "' exists already",
          rename.newName().getParserPosition());
    }
    replace(table, timeoutNanos, definition -> definition.withName(name));
  }

  private void alterColumn(TableEntry table, AlterColumn alter, long timeoutNanos) {
    SqlIdentifier name = alter.column();
    Column column =
        table.columns().stream()
            .filter(each -> each.name().equals(Names.simple(name)))
            .findFirst()
            .orElseThrow(() -> Names.noColumn(name, table.name()));
    String text =
        switch (alter.action()) {
          case SET_DEFAULT -> {
            String written = SqlText.of(alter.newDefault());
            frontEnd.checkDefault(
                alter.newDefault(), column.type(), catalog.state(), table.schemaName());
            yield written;
          }
          case DROP_DEFAULT -> null;
          default ->
              throw SqlErrors.at(
                  ErrorCode.UNSUPPORTED,
                  "changing type or nullability of a column is not supported; create a new table"
                      + " and INSERT ... SELECT",
                  alter.getParserPosition());
        };
    List<Column> columns = new ArrayList<>(table.definition().columns());
    columns.set(
        columns.indexOf(column),
        new Column(column.name(), column.type(), text, column.identity(), column.hidden()));
    replace(table, timeoutNanos, definition -> definition.withColumns(columns));
  }

  private void add(TableEntry table, AddConstraint add, long timeoutNanos) {
    if (!(add.constraint() instanceof UniqueConstraint unique)) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "only UNIQUE constraints can be added to a table; name others in CREATE TABLE",
          add.getParserPosition());
    }
    int[] columns = new int[unique.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      SqlIdentifier name = (SqlIdentifier) unique.columns().get(i);
      columns[i] = table.schema().ordinal(Names.simple(name));
      if (columns[i] < 0 || columns[i] >= table.columns().size()) {
        throw Names.noColumn(name, table.name());
      }
    }
    String name =
        unique.name() == null
            ? table.name() + "_" + String.join("_", Names.list(unique.columns())) + "_KEY"
            : Names.simple(unique.name());
    if (IndexChanges.owner(catalog.state(), table.schemaName(), name) != null) {
      throw SqlErrors.at(
          ErrorCode.INDEX_EXISTS,
          "constraint or index '" + name + "' exists already",
          unique.getParserPosition());
    }
    IndexSchema index = IndexSchema.ascending(catalog.newId(), name, true, columns);
    new IndexChanges(catalog, stores, gates).add(table, index, true, timeoutNanos);
  }

  private void drop(TableEntry table, DropConstraint drop, long timeoutNanos) {
    String name = Names.simple(drop.constraint());
    TableDefinition definition = table.definition();
    IndexDefinition index = definition.index(name);
    if (index != null && index.constraint()) {
      SqlNode place = drop.constraint();
      new IndexChanges(catalog, stores, gates).remove(table, index, place, timeoutNanos);
      return;
    }
    var checks = new ArrayList<>(definition.checks());
    var keys = new ArrayList<>(definition.foreignKeys());
    boolean check = checks.removeIf(each -> each.name().equals(name));
    boolean key = keys.removeIf(each -> each.name().equals(name));
    if (!check && !key) {
      throw noConstraint(table, drop);
    }
    replace(table, timeoutNanos, old -> old.withChecks(checks).withForeignKeys(keys));
  }

  private static NelumboException noConstraint(TableEntry table, DropConstraint drop) {
    return SqlErrors.at(
        ErrorCode.INVALID_STATEMENT,
        "table " + table + " has no constraint " + drop.constraint() + " that can be dropped",
        drop.getParserPosition());
  }
}
