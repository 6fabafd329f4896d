package org.nelumbo.planner.ddl;

import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.sql.SqlErrors;
import org.nelumbo.planner.sql.SqlFrontEnd;
import org.nelumbo.sql.ast.AddColumn;
import org.nelumbo.sql.ast.AddConstraint;
import org.nelumbo.sql.ast.AlterColumn;
import org.nelumbo.sql.ast.AlterTable;
import org.nelumbo.sql.ast.DropElement;
import org.nelumbo.sql.ast.RenameColumn;
import org.nelumbo.sql.ast.RenameTable;

/** ALTER TABLE. */
final class TableChanges {
  private final Catalog catalog;
  private final Gates gates;
  private final ConstraintChanges constraints;
  private final ColumnChanges columns;

  TableChanges(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      StoreBuilder stores,
      Gates gates,
      Maintenance maintenance,
      TableRebuild rebuild) {
    this.catalog = catalog;
    this.gates = gates;
    this.constraints = new ConstraintChanges(catalog, frontEnd, stores, gates, maintenance);
    this.columns = new ColumnChanges(catalog, frontEnd, gates, rebuild);
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
      case AddConstraint add -> constraints.add(table, add.constraint(), schema, timeoutNanos);
      case AddColumn add -> columns.add(table, add, timeoutNanos);
      case DropElement drop -> {
        switch (drop.element()) {
          case COLUMN -> columns.drop(table, drop, timeoutNanos);
          case CONSTRAINT -> constraints.drop(table, drop, timeoutNanos);
        }
      }
      case RenameColumn rename -> columns.rename(table, rename, timeoutNanos);
      case AlterColumn column -> columns.alter(table, column, timeoutNanos);
    }
  }

  private void rename(TableEntry table, RenameTable rename, long timeoutNanos) {
    String name = Names.simple(rename.newName());
    if (catalog.state().relation(table.schemaName(), name) != null) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "Table '" + name + "' exists already",
          rename.newName().getParserPosition());
    }
    gates.closed(
        table,
        timeoutNanos,
        () -> {
          TableDefinition renamed = table.definition().withName(name);
          catalog.replaceTable(table, renamed, table.store());
          table.store().rename(renamed.toSchema());
        });
  }
}
