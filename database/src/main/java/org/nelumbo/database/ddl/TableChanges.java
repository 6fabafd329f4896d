package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.AddColumn;
import org.nelumbo.parser.ast.AddConstraint;
import org.nelumbo.parser.ast.AlterColumn;
import org.nelumbo.parser.ast.AlterTable;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.DropElement;
import org.nelumbo.parser.ast.DropPrimaryKey;
import org.nelumbo.parser.ast.RenameColumn;
import org.nelumbo.parser.ast.RenameConstraint;
import org.nelumbo.parser.ast.RenameTable;
import org.nelumbo.parser.ast.TableChange;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.type.SqlErrors;

/** Runs ALTER TABLE: renames tables, and delegates changes of columns and constraints. */
final class TableChanges {
  private final Catalog catalog;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final ConstraintChanges constraints;
  private final ColumnChanges columns;
  private final ViewChanges views;
  private final SequenceChanges sequences;
  private final TableRebuild rebuild;

  TableChanges(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      StoreBuilder stores,
      ExclusiveMetadataLocks exclusiveMetadataLocks,
      MaintenanceQueries maintenanceQueries,
      TableRebuild rebuild,
      ViewChanges views,
      SequenceChanges sequences) {
    this.catalog = catalog;
    this.views = views;
    this.sequences = sequences;
    this.rebuild = rebuild;
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
    List<TableChange> changes = changes(table, alter);
    if (changes.size() == 1) {
      change(table, changes.getFirst(), schema, timeoutNanos);
    } else {
      exclusiveMetadataLocks.runExclusively(
          table, timeoutNanos, () -> changeAll(table, changes, schema, timeoutNanos));
    }
  }

  /** A column with constraints is split: it is added first, then its constraints are. */
  private static List<TableChange> changes(TableEntry table, AlterTable alter) {
    List<TableChange> changes = new ArrayList<>();
    for (SqlNode change : alter.changes()) {
      if (change instanceof AddColumn add && !add.column().constraints().isEmpty()) {
        boolean exists =
            table.schema().ordinal(ObjectNames.simple(add.column().name())) >= 0
                && add.ifNotExists();
        changes.add(add.withoutConstraints());
        for (SqlNode constraint : exists ? SqlNodeList.EMPTY : add.column().constraints()) {
          changes.add(new AddConstraint(constraint.getParserPosition(), (Constraint) constraint));
        }
      } else if (change instanceof DropElement drop && dropsKey(table, drop)) {
        changes.add(new DropPrimaryKey(drop.getParserPosition()));
        changes.add(drop);
      } else {
        changes.add((TableChange) change);
      }
    }
    return changes;
  }

  private static boolean dropsKey(TableEntry table, DropElement drop) {
    int at = table.schema().ordinal(ObjectNames.simple(drop.name()));
    return drop.element() == DropElement.Element.COLUMN
        && at >= 0
        && table.schema().primaryKeyPosition(at) >= 0
        && table.columns().size() > 1;
  }

  /** Consecutive changes that copy the rows share one copy. */
  private void changeAll(
      TableEntry table, List<TableChange> changes, String schema, long timeoutNanos) {
    try {
      catalog.changeTogether(
          () -> {
            for (TableChange change : changes) {
              rebuild.setDeferring(copiesRows(change), timeoutNanos);
              TableEntry present = catalog.draft().table(table.id());
              change(present, change, schema, timeoutNanos);
            }
            rebuild.setDeferring(false, timeoutNanos);
          });
    } finally {
      rebuild.discardDeferred();
    }
  }

  private static boolean copiesRows(TableChange change) {
    return switch (change) {
      case AddColumn add -> add.column().identity() == null; // its rows are numbered
      case DropElement drop -> drop.element() == DropElement.Element.COLUMN;
      case AlterColumn column ->
          switch (column.action()) {
            case SET_TYPE ->
                column.value() == null; // the expression is over the rows before the change
            case SET_NOT_NULL, DROP_NOT_NULL -> true;
            default -> false;
          };
      default -> false;
    };
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
            String column = ObjectNames.simple(drop.name());
            views.release(table, column, drop.behavior());
            columns.drop(table, drop, timeoutNanos);
            catalog.whenPublished(() -> sequences.dropOwned(table, column));
          }
          case CONSTRAINT -> constraints.drop(table, drop, timeoutNanos);
        }
      }
      case RenameColumn rename -> {
        views.checkUnused(table, ObjectNames.simple(rename.column()));
        columns.rename(table, rename, timeoutNanos);
        String from = ObjectNames.simple(rename.column());
        String to = ObjectNames.simple(rename.newName());
        catalog.whenPublished(() -> sequences.renameOwner(table, from, to));
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
