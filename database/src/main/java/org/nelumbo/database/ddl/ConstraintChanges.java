package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.parser.ast.CheckConstraint;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.DropElement;
import org.nelumbo.parser.ast.ForeignKeyConstraint;
import org.nelumbo.parser.ast.PrimaryKeyConstraint;
import org.nelumbo.parser.ast.RenameConstraint;
import org.nelumbo.parser.ast.TableIndex;
import org.nelumbo.parser.ast.UniqueConstraint;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexPurpose;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.frontend.StoredText;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Adds and drops constraints (ALTER TABLE ADD and DROP CONSTRAINT). The existing rows must satisfy
 * an added constraint.
 */
final class ConstraintChanges {
  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final StoreBuilder stores;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final MaintenanceQueries maintenanceQueries;
  private final TableRebuild rebuild;

  ConstraintChanges(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      StoreBuilder stores,
      ExclusiveMetadataLocks exclusiveMetadataLocks,
      MaintenanceQueries maintenanceQueries,
      TableRebuild rebuild) {
    this.catalog = catalog;
    this.frontEnd = frontEnd;
    this.stores = stores;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
    this.maintenanceQueries = maintenanceQueries;
    this.rebuild = rebuild;
  }

  void add(TableEntry table, Constraint constraint, String schema, long timeoutNanos) {
    switch (constraint) {
      case UniqueConstraint unique -> addUnique(table, unique, timeoutNanos);
      case TableIndex index -> addIndex(table, index, timeoutNanos);
      case CheckConstraint check -> addCheck(table, check, timeoutNanos);
      case ForeignKeyConstraint key -> addForeignKey(table, key, schema, timeoutNanos);
      case PrimaryKeyConstraint key -> addPrimaryKey(table, key, timeoutNanos);
    }
  }

  private IndexChanges newIndexChanges() {
    return new IndexChanges(catalog, stores, exclusiveMetadataLocks, frontEnd, rebuild);
  }

  private static int[] ordinals(TableEntry table, SqlNodeList names) {
    int[] columns = new int[names.size()];
    for (int i = 0; i < columns.length; i++) {
      SqlIdentifier name = (SqlIdentifier) names.get(i);
      columns[i] = table.schema().ordinal(ObjectNames.simple(name));
      if (columns[i] < 0 || columns[i] >= table.columns().size()) {
        throw ObjectNames.noColumn(name, table.name());
      }
    }
    return columns;
  }

  private String freeName(TableEntry table, Constraint constraint, String suffix, int first) {
    return constraint.name() == null
        ? ObjectNames.free(table.name() + "_" + suffix, first, name -> isTaken(table, name))
        : freeName(table, ObjectNames.simple(constraint.name()), constraint);
  }

  private String freeName(TableEntry table, String name, SqlNode node) {
    if (isTakenInTable(table.definition(), name)) {
      throw SqlErrors.at(
          ErrorCode.INDEX_EXISTS,
          "constraint or index '" + name + "' exists already; choose another name",
          node.getParserPosition());
    }
    return name;
  }

  private boolean isTaken(TableEntry table, String name) {
    return IndexChanges.owner(catalog.draft(), table.schemaName(), name) != null
        || isTakenInTable(table.definition(), name);
  }

  private static boolean isTakenInTable(TableDefinition definition, String name) {
    return definition.index(name) != null
        || name.equals(definition.primaryKeyName())
        || definition.checks().stream().anyMatch(check -> check.name().equals(name))
        || definition.foreignKeys().stream().anyMatch(key -> key.name().equals(name));
  }

  private void addUnique(TableEntry table, UniqueConstraint unique, long timeoutNanos) {
    int[] columns = ordinals(table, unique.columns());
    String name =
        freeName(table, unique, String.join("_", ObjectNames.list(unique.columns())) + "_KEY", 0);
    IndexSchema index = IndexSchema.ascending(catalog.newId(), name, true, columns);
    newIndexChanges().addInPlace(table, IndexDefinition.ofConstraint(index), unique, timeoutNanos);
  }

  private void addIndex(TableEntry table, TableIndex index, long timeoutNanos) {
    String suffix = String.join("_", ObjectNames.list(index.columns())) + "_IDX";
    int[] columns = ordinals(table, index.columns());
    IndexSchema schema =
        IndexSchema.ascending(catalog.newId(), freeName(table, index, suffix, 0), false, columns);
    newIndexChanges().addInPlace(table, IndexDefinition.ofIndex(schema), index, timeoutNanos);
  }

  /** The rows are copied, because they are stored by key. */
  private void addPrimaryKey(TableEntry table, PrimaryKeyConstraint key, long timeoutNanos) {
    if (table.definition().hiddenColumn() < 0) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "table " + table + " has a primary key already",
          key.getParserPosition());
    }
    int[] columns = ordinals(table, key.columns());
    if (Arrays.stream(columns).distinct().count() < columns.length) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT, "a column is named twice", key.getParserPosition());
    }
    String name = freeName(table, key, "PKEY", 0);
    rebuild.copy(
        table, ColumnMapping.withPrimaryKey(table.definition(), columns, name), timeoutNanos);
  }

  /** Drops the primary key by copying the rows, which get a hidden key. */
  void dropPrimaryKey(TableEntry table, SqlNode node, long timeoutNanos) {
    TableDefinition definition = table.definition();
    if (definition.hiddenColumn() >= 0) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "table " + table + " has no primary key",
          node.getParserPosition());
    }
    for (TableEntry child : catalog.draft().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        if (key.referencedTable() == table.id()
            && sameColumns(key.referencedColumns(), definition.primaryKey())) {
          throw SqlErrors.at(
              ErrorCode.OBJECT_IN_USE,
              "foreign key " + key.name() + " of " + child + " refers to it; drop that first",
              node.getParserPosition());
        }
      }
    }
    Column hidden =
        new Column(TableBuilder.HIDDEN_COLUMN, ColumnType.of(Kind.BIGINT), null, false, true);
    ColumnMapping mapping = ColumnMapping.withoutPrimaryKey(definition, hidden);
    rebuild.copy(catalog.numbering(table, mapping.definition()), mapping, timeoutNanos);
  }

  private static boolean sameColumns(int[] some, int[] others) {
    return Arrays.equals(
        Arrays.stream(some).sorted().toArray(), Arrays.stream(others).sorted().toArray());
  }

  void rename(TableEntry table, RenameConstraint rename, long timeoutNanos) {
    String from = ObjectNames.simple(rename.constraint());
    String to = freeName(table, ObjectNames.simple(rename.newName()), rename);
    TableDefinition old = table.definition();
    TableDefinition renamed = renamed(old, from, to);
    if (renamed == null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "table " + table + " has no constraint " + from,
          rename.getParserPosition());
    }
    IndexChanges.rename(catalog, exclusiveMetadataLocks, table, renamed, timeoutNanos);
  }

  private static TableDefinition renamed(TableDefinition old, String from, String to) {
    boolean isIndex = old.index(from) != null && old.index(from).constraint();
    if (isIndex || from.equals(old.primaryKeyName())) {
      return IndexChanges.renamed(old, from, to);
    }
    List<CheckDefinition> checks = new ArrayList<>();
    for (CheckDefinition check : old.checks()) {
      checks.add(check.name().equals(from) ? new CheckDefinition(to, check.text()) : check);
    }
    List<ForeignKeyDefinition> keys = new ArrayList<>();
    for (ForeignKeyDefinition key : old.foreignKeys()) {
      keys.add(key.name().equals(from) ? key.withName(to) : key);
    }
    boolean found = !checks.equals(old.checks()) || !keys.equals(old.foreignKeys());
    Comments comments = old.comments().renamed(Comments.Part.CONSTRAINT, from, to);
    return found ? old.withChecks(checks).withForeignKeys(keys).withComments(comments) : null;
  }

  private void addCheck(TableEntry table, CheckConstraint check, long timeoutNanos) {
    String name = freeName(table, check, "CHECK_", table.definition().checks().size() + 1);
    String text = StoredText.of(check.condition());
    frontEnd.checkCondition(text, table.definition(), catalog.draft(), table.schemaName());
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          String broken =
              "SELECT 1 FROM " + ObjectNames.quoted(table) + " WHERE NOT (" + text + ")";
          if (maintenanceQueries.hasRows(broken, catalog.draft(), table.schemaName())) {
            throw new NelumboException(
                ErrorCode.CHECK_VIOLATION,
                "rows of table " + table + " violate CHECK (" + text + ")");
          }
          List<CheckDefinition> checks = new ArrayList<>(table.definition().checks());
          checks.add(new CheckDefinition(name, text));
          catalog.replaceTable(table, table.definition().withChecks(checks), table.store());
        });
  }

  private void addForeignKey(
      TableEntry table, ForeignKeyConstraint key, String schema, long timeoutNanos) {
    String name =
        freeName(table, key, String.join("_", ObjectNames.list(key.columns())) + "_FKEY", 0);
    ForeignKeyDefinition definition =
        new ForeignKeys(catalog.draft(), schema, table.schemaName())
            .resolve(key, name, ordinals(table, key.columns()), table.definition().columns(), null);
    TableEntry parent = catalog.draft().table(definition.referencedTable());
    Runnable change = () -> addForeignKey(table, parent, definition);
    if (parent.id() == table.id()) {
      exclusiveMetadataLocks.runExclusively(table, timeoutNanos, change);
    } else {
      exclusiveMetadataLocks.runExclusively(
          table,
          timeoutNanos,
          () -> exclusiveMetadataLocks.runExclusively(parent, timeoutNanos, change));
    }
    addIndexOf(definition, catalog.draft().table(table.id()), timeoutNanos);
  }

  private void addForeignKey(TableEntry table, TableEntry parent, ForeignKeyDefinition key) {
    StringBuilder match = new StringBuilder();
    StringBuilder known = new StringBuilder();
    for (int i = 0; i < key.columns().length; i++) {
      String column = "c." + ObjectNames.quoted(table.columns().get(key.columns()[i]).name());
      String referenced =
          "p." + ObjectNames.quoted(parent.columns().get(key.referencedColumns()[i]).name());
      match.append(i == 0 ? "" : " AND ").append(referenced).append(" = ").append(column);
      known.append(column).append(" IS NOT NULL AND ");
    }
    String broken =
        "SELECT 1 FROM "
            + ObjectNames.quoted(table)
            + " AS c WHERE "
            + known
            + "NOT EXISTS (SELECT 1 FROM "
            + ObjectNames.quoted(parent)
            + " AS p WHERE "
            + match
            + ")";
    if (maintenanceQueries.hasRows(broken, catalog.draft(), table.schemaName())) {
      throw new NelumboException(
          ErrorCode.FOREIGN_KEY_VIOLATION,
          "rows of table " + table + " refer to rows of " + parent + " that do not exist");
    }
    GeneratedColumns.check(table.definition(), key);
    List<ForeignKeyDefinition> keys = new ArrayList<>(table.definition().foreignKeys());
    keys.add(key);
    catalog.replaceTable(table, table.definition().withForeignKeys(keys), table.store());
  }

  private void addIndexOf(ForeignKeyDefinition key, TableEntry table, long timeoutNanos) {
    if (!ForeignKeys.isIndexed(table.definition(), key.columns())) {
      String name =
          ForeignKeys.freeIndexName(
              key, each -> IndexChanges.owner(catalog.draft(), table.schemaName(), each) != null);
      IndexDefinition index = ForeignKeys.indexOf(key, catalog.newId(), name);
      newIndexChanges().add(table, index, timeoutNanos);
    }
  }

  private void removeNeedlessIndexes(TableEntry table, SqlNode node, long timeoutNanos) {
    TableDefinition definition = table.definition();
    for (IndexDefinition index : definition.indexes()) {
      boolean isNeeded =
          index.purpose() != IndexPurpose.FOREIGN_KEY
              || definition.foreignKeys().stream()
                  .anyMatch(key -> ForeignKeys.isServedBy(key.columns(), index));
      if (!isNeeded) {
        TableEntry present = catalog.draft().table(table.id());
        newIndexChanges().remove(present, index, node, timeoutNanos);
      }
    }
  }

  void drop(TableEntry table, DropElement drop, long timeoutNanos) {
    String name = ObjectNames.simple(drop.name());
    TableDefinition definition = table.definition();
    IndexDefinition index = definition.index(name);
    if (index != null && index.constraint()) {
      SqlNode node = drop.name();
      newIndexChanges().remove(table, index, node, timeoutNanos);
      return;
    }
    if (name.equals(definition.primaryKeyName())) {
      dropPrimaryKey(table, drop, timeoutNanos);
      return;
    }
    List<CheckDefinition> checks = new ArrayList<>(definition.checks());
    List<ForeignKeyDefinition> keys = new ArrayList<>(definition.foreignKeys());
    boolean check = checks.removeIf(each -> each.name().equals(name));
    boolean key = keys.removeIf(each -> each.name().equals(name));
    if (!check && !key) {
      if (drop.ifExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "table " + table + " has no constraint " + name + " that can be dropped",
          drop.getParserPosition());
    }
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () ->
            catalog.replaceTable(
                table,
                definition
                    .withChecks(checks)
                    .withForeignKeys(keys)
                    .withComments(definition.comments().with(Comments.Part.CONSTRAINT, name, null)),
                table.store()));
    removeNeedlessIndexes(catalog.draft().table(table.id()), drop, timeoutNanos);
  }
}
