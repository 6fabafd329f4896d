package org.nelumbo.planner.ddl;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.parser.ast.AddColumn;
import org.nelumbo.parser.ast.AddConstraint;
import org.nelumbo.parser.ast.AlterColumn;
import org.nelumbo.parser.ast.AlterTable;
import org.nelumbo.parser.ast.DropElement;
import org.nelumbo.parser.ast.DropPrimaryKey;
import org.nelumbo.parser.ast.RenameColumn;
import org.nelumbo.parser.ast.RenameConstraint;
import org.nelumbo.parser.ast.RenameTable;
import org.nelumbo.parser.ast.TableChange;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlErrors;
import org.nelumbo.planner.frontend.SqlFrontEnd;

/** Runs ALTER TABLE: renames tables, and hands columns and constraints to their classes. */
final class TableChanges {
  private final Catalog catalog;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final ConstraintChanges constraints;
  private final ColumnChanges columns;
  private final ViewChanges views;

  TableChanges(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      StoreBuilder stores,
      ExclusiveMetadataLocks exclusiveMetadataLocks,
      MaintenanceQueries maintenanceQueries,
      TableRebuild rebuild,
      ViewChanges views) {
    this.catalog = catalog;
    this.views = views;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
    this.constraints =
        new ConstraintChanges(
            catalog, frontEnd, stores, exclusiveMetadataLocks, maintenanceQueries, rebuild);
    this.columns = new ColumnChanges(catalog, frontEnd, exclusiveMetadataLocks, rebuild);
  }

  void run(AlterTable alter, String schema, long timeoutNanos) {
    SqlIdentifier name = alter.name();
    if (alter.ifExists() && ObjectNames.find(catalog.draft(), name, schema) == null) {
      return;
    }
    TableEntry table = ObjectNames.table(catalog.draft(), name, schema);
    if (alter.changes().size() == 1) {
      change(table, (TableChange) alter.changes().get(0), schema, timeoutNanos);
    } else {
      exclusiveMetadataLocks.runExclusively(
          table, timeoutNanos, () -> changeAll(table, alter.changes(), schema, timeoutNanos));
    }
  }

  /** All of several changes, or none. */
  private void changeAll(TableEntry table, SqlNodeList changes, String schema, long timeoutNanos) {
    catalog.changeTogether(
        () -> {
          for (SqlNode change : changes) {
            TableEntry present = catalog.draft().table(table.id());
            change(present, (TableChange) change, schema, timeoutNanos);
          }
        });
  }

  private void change(TableEntry table, TableChange change, String schema, long timeoutNanos) {
    switch (change) {
      case RenameTable rename -> {
        views.checkUnused(table);
        rename(table, rename, timeoutNanos);
      }
      case RenameConstraint rename -> constraints.rename(table, rename, timeoutNanos);
      case DropPrimaryKey drop -> constraints.dropPrimaryKey(table, drop, timeoutNanos);
      case AddConstraint add -> constraints.add(table, add.constraint(), schema, timeoutNanos);
      case AddColumn add -> columns.add(table, add, timeoutNanos);
      case DropElement drop -> {
        switch (drop.element()) {
          case COLUMN -> {
            views.checkUnused(table, ObjectNames.simple(drop.name()));
            columns.drop(table, drop, timeoutNanos);
          }
          case CONSTRAINT -> constraints.drop(table, drop, timeoutNanos);
        }
      }
      case RenameColumn rename -> {
        views.checkUnused(table, ObjectNames.simple(rename.column()));
        columns.rename(table, rename, timeoutNanos);
      }
      case AlterColumn column -> {
        if (column.action() == AlterColumn.Action.SET_TYPE) {
          views.checkUnused(table, ObjectNames.simple(column.column()));
        }
        columns.alter(table, column, timeoutNanos);
      }
    }
  }

  private void rename(TableEntry table, RenameTable rename, long timeoutNanos) {
    String name = ObjectNames.simple(rename.newName());
    if (catalog.draft().relation(table.schemaName(), name) != null) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "Table '" + name + "' exists already",
          rename.newName().getParserPosition());
    }
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          TableDefinition renamed = table.definition().withName(name);
          catalog.replaceTable(table, renamed, table.store());
          catalog.whenPublished(() -> table.store().rename(renamed.toSchema()));
        });
  }
}
