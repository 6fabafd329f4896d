package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.parser.ast.CreateIndex;
import org.nelumbo.parser.ast.DropObject;
import org.nelumbo.parser.ast.IndexColumn;
import org.nelumbo.parser.ast.RenameObject;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexPurpose;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Creates and drops secondary indexes (CREATE INDEX, DROP INDEX). The name of an index in CREATE
 * INDEX must be free in the schema. The names of constraints and of indexes in CREATE TABLE and
 * ALTER TABLE are unique only within their table, because MySQL scripts reuse them.
 */
final class IndexChanges {
  private final Catalog catalog;
  private final StoreBuilder stores;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final SqlFrontEnd frontEnd;
  private final TableRebuild rebuild;

  IndexChanges(
      Catalog catalog,
      StoreBuilder stores,
      ExclusiveMetadataLocks exclusiveMetadataLocks,
      SqlFrontEnd frontEnd,
      TableRebuild rebuild) {
    this.catalog = catalog;
    this.stores = stores;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
    this.frontEnd = frontEnd;
    this.rebuild = rebuild;
  }

  /** Returns a table of a schema that has an index of this name, or null if there is none. */
  static TableEntry owner(CatalogState state, String schema, String index) {
    for (TableEntry table : state.tables()) {
      if (owns(table, schema, index)) {
        return table;
      }
    }
    return null;
  }

  /** Returns the table of an index, or null if there is none; throws if several tables have one. */
  static TableEntry onlyOwner(CatalogState state, String schema, String index, SqlParserPos place) {
    TableEntry owner = owner(state, schema, index);
    for (TableEntry table : state.tables()) {
      if (table != owner && owns(table, schema, index)) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "tables "
                + owner
                + " and "
                + table
                + " have an index '"
                + index
                + "' each; write DROP INDEX "
                + index
                + " ON a table",
            place);
      }
    }
    return owner;
  }

  private static boolean owns(TableEntry table, String schema, String index) {
    return table.schemaName().equals(schema)
        && (table.definition().index(index) != null
            || index.equals(table.definition().primaryKeyName()));
  }

  /** A temporary table comes first. Returns null if no table has the index. */
  private static TableEntry owner(CatalogState state, SqlIdentifier index, String schema) {
    String name = ObjectNames.simple(index);
    String temporary = state.temporarySchema();
    boolean said = index.names.size() > 1;
    TableEntry owner = said || temporary == null ? null : owner(state, temporary, name);
    return owner != null
        ? owner
        : onlyOwner(
            state, ObjectNames.existing(state, index, schema), name, index.getParserPosition());
  }

  /** Rejects a new table with two indexes of the same name. */
  static void checkNames(TableDefinition definition) {
    List<String> names = new ArrayList<>();
    definition.indexes().forEach(index -> names.add(index.schema().name()));
    if (definition.primaryKeyName() != null) {
      names.add(definition.primaryKeyName());
    }
    for (String name : names) {
      if (names.indexOf(name) != names.lastIndexOf(name)) {
        throw new NelumboException(
            ErrorCode.INDEX_EXISTS,
            "constraint or index '" + name + "' exists already; choose another name");
      }
    }
  }

  void create(CreateIndex create, String schema, long timeoutNanos) {
    TableEntry table = ObjectNames.table(catalog.draft(), create.table(), schema);
    String name =
        create.name() == null ? freeName(create, table) : ObjectNames.simple(create.name());
    if (owner(catalog.draft(), table.schemaName(), name) != null) {
      if (create.ifNotExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.INDEX_EXISTS,
          "Index '" + name + "' exists already",
          create.name().getParserPosition());
    }
    IndexKeys keys = IndexKeys.of(create, table.definition(), frontEnd, catalog.draft());
    IndexSchema index =
        new IndexSchema(catalog.newId(), name, create.unique(), keys.columns(), keys.descending());
    IndexDefinition definition =
        new IndexDefinition(index, IndexPurpose.NONE, 0, keys.condition(), keys.texts());
    if (keys.isNew()) {
      List<IndexDefinition> indexes = new ArrayList<>(keys.mapping().definition().indexes());
      indexes.removeIf(each -> isNeedless(each, definition));
      indexes.add(definition);
      rebuild.copy(table, keys.mapping().withIndexes(indexes), timeoutNanos);
    } else {
      addInPlace(table, definition, create, timeoutNanos);
    }
  }

  /** Builds an index, and drops the foreign key indexes that it replaces. */
  void addInPlace(TableEntry table, IndexDefinition index, SqlNode place, long timeoutNanos) {
    add(table, index, timeoutNanos);
    removeNeedless(catalog.draft().table(table.id()), index, place, timeoutNanos);
  }

  private static boolean isNeedless(IndexDefinition index, IndexDefinition other) {
    return index.purpose() == IndexPurpose.FOREIGN_KEY
        && ForeignKeys.isServedBy(index.schema().columns(), other);
  }

  private void removeNeedless(
      TableEntry table, IndexDefinition added, SqlNode place, long timeoutNanos) {
    for (IndexDefinition index : table.definition().indexes()) {
      if (isNeedless(index, added)) {
        remove(catalog.draft().table(table.id()), index, place, timeoutNanos);
      }
    }
  }

  private String freeName(CreateIndex create, TableEntry table) {
    StringBuilder stem = new StringBuilder(table.name());
    for (SqlNode column : create.columns()) {
      SqlNode key = ((IndexColumn) column).key();
      stem.append('_').append(key instanceof SqlIdentifier name ? name.getSimple() : "EXPR");
    }
    String name = stem + "_IDX";
    for (int i = 1; owner(catalog.draft(), table.schemaName(), name) != null; i++) {
      name = stem + "_IDX" + i;
    }
    return name;
  }

  /** Builds an index and publishes it. */
  void add(TableEntry table, IndexDefinition index, long timeoutNanos) {
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          IndexStore store = stores.createIndex(table.store(), index.schema());
          boolean noted = false;
          try {
            List<IndexDefinition> indexes = new ArrayList<>(table.definition().indexes());
            indexes.add(index.withRoot(store.root()));
            table.store().addIndex(store);
            catalog.replaceTable(table, table.definition().withIndexes(indexes), table.store());
            catalog.whenDiscarded(() -> takeBack(table, store));
            noted = true;
          } finally {
            if (!noted) {
              takeBack(table, store);
            }
          }
        });
  }

  private void takeBack(TableEntry table, IndexStore store) {
    table.store().removeIndex(store);
    stores.drop(store);
  }

  void drop(DropObject drop, String schema, long timeoutNanos) {
    for (SqlNode name : drop.names()) {
      find(drop, (SqlIdentifier) name, schema); // fails before the first drop
    }
    for (SqlNode node : drop.names()) {
      SqlIdentifier name = (SqlIdentifier) node;
      TableEntry table = find(drop, name, schema);
      if (table != null) {
        remove(table, table.definition().index(ObjectNames.simple(name)), name, timeoutNanos);
      }
    }
  }

  private TableEntry find(DropObject drop, SqlIdentifier index, String schema) {
    String name = ObjectNames.simple(index);
    TableEntry table =
        drop.table() == null
            ? owner(catalog.draft(), index, schema)
            : ObjectNames.table(catalog.draft(), drop.table(), schema);
    IndexDefinition definition = table == null ? null : table.definition().index(name);
    if (definition == null) {
      if (drop.ifExists()) {
        return null;
      }
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_INDEX,
          table != null && name.equals(table.definition().primaryKeyName())
              ? "'" + name + "' is the primary key of " + table + " and cannot be dropped"
              : "Index '" + name + "' not found",
          index.getParserPosition());
    }
    if (definition.constraint()) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_IN_USE,
          "index "
              + name
              + " belongs to a UNIQUE constraint; write ALTER TABLE "
              + table.name()
              + " DROP CONSTRAINT "
              + name,
          index.getParserPosition());
    }
    return table;
  }

  void rename(RenameObject rename, String schema, long timeoutNanos) {
    String from = ObjectNames.simple(rename.name());
    String to = ObjectNames.simple(rename.newName());
    TableEntry table = owner(catalog.draft(), rename.name(), schema);
    if (table == null) {
      if (rename.ifExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_INDEX,
          "Index '" + from + "' not found",
          rename.name().getParserPosition());
    }
    if (owner(catalog.draft(), table.schemaName(), to) != null) {
      throw SqlErrors.at(
          ErrorCode.INDEX_EXISTS,
          "Index '" + to + "' exists already",
          rename.newName().getParserPosition());
    }
    TableDefinition renamed = renamed(table.definition(), from, to);
    rename(catalog, exclusiveMetadataLocks, table, renamed, timeoutNanos);
  }

  /** Renames an index, which may be the primary key, in a definition. */
  static TableDefinition renamed(TableDefinition definition, String from, String to) {
    boolean isKey = from.equals(definition.primaryKeyName());
    Comments comments = definition.comments().renamed(Comments.Part.INDEX, from, to);
    if (isKey || definition.index(from).constraint()) {
      comments = comments.renamed(Comments.Part.CONSTRAINT, from, to);
    }
    TableDefinition old = definition.withComments(comments);
    if (isKey) {
      return old.toBuilder().primaryKey(old.primaryKey(), to).build();
    }
    List<IndexDefinition> indexes = new ArrayList<>();
    for (IndexDefinition index : old.indexes()) {
      IndexSchema schema = index.schema();
      indexes.add(schema.name().equals(from) ? index.withSchema(schema.withName(to)) : index);
    }
    return old.withIndexes(indexes);
  }

  /** Publishes a definition of a table with changed names. */
  static void rename(
      Catalog catalog,
      ExclusiveMetadataLocks locks,
      TableEntry table,
      TableDefinition renamed,
      long timeoutNanos) {
    locks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          catalog.replaceTable(table, renamed, table.store());
          catalog.whenPublished(() -> table.store().rename(renamed.toSchema()));
        });
  }

  /** Removes an index. Fails while a foreign key needs the uniqueness of its columns. */
  void remove(TableEntry table, IndexDefinition index, SqlNode place, long timeoutNanos) {
    for (TableEntry child : catalog.draft().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        if (key.referencedTable() == table.id() && sameColumns(key, index)) {
          throw SqlErrors.at(
              ErrorCode.OBJECT_IN_USE,
              "foreign key "
                  + key.name()
                  + " of "
                  + child
                  + " refers to the columns of this index; drop it first",
              place.getParserPosition());
        }
      }
    }
    TableDefinition changed = without(table.definition(), index);
    ColumnMapping mapping = IndexKeys.withoutUnused(changed);
    if (mapping.sources().length < changed.columns().size()) {
      rebuild.copy(table, mapping, timeoutNanos);
      return;
    }
    IndexStore store =
        Arrays.stream(table.store().indexes())
            .filter(each -> each.schema().id() == index.schema().id())
            .findFirst()
            .orElseThrow();
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          catalog.replaceTable(table, changed, table.store());
          catalog.whenPublished(() -> takeBack(table, store));
        });
  }

  private static TableDefinition without(TableDefinition definition, IndexDefinition index) {
    List<IndexDefinition> indexes = new ArrayList<>(definition.indexes());
    indexes.remove(index);
    String name = index.schema().name();
    Comments comments = definition.comments().with(Comments.Part.INDEX, name, null);
    if (index.constraint()) {
      comments = comments.with(Comments.Part.CONSTRAINT, name, null);
    }
    return definition.withIndexes(indexes).withComments(comments);
  }

  private static boolean sameColumns(ForeignKeyDefinition key, IndexDefinition index) {
    return index.schema().unique()
        && set(key.referencedColumns()).equals(set(index.schema().columns()));
  }

  private static Set<Integer> set(int[] columns) {
    return Arrays.stream(columns).boxed().collect(Collectors.toSet());
  }
}
