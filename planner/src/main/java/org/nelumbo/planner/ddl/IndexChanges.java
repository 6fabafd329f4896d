package org.nelumbo.planner.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
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
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlErrors;

/**
 * Creates and drops secondary indexes (CREATE INDEX, DROP INDEX). Index names are unique within a
 * schema.
 */
final class IndexChanges {
  private final Catalog catalog;
  private final StoreBuilder stores;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;

  IndexChanges(
      Catalog catalog, StoreBuilder stores, ExclusiveMetadataLocks exclusiveMetadataLocks) {
    this.catalog = catalog;
    this.stores = stores;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
  }

  /** The table of a schema that has an index of this name, null if there is none. */
  static TableEntry owner(CatalogState state, String schema, String index) {
    for (TableEntry table : state.tables()) {
      boolean has =
          table.definition().index(index) != null
              || index.equals(table.definition().primaryKeyName());
      if (table.schemaName().equals(schema) && has) {
        return table;
      }
    }
    return null;
  }

  /** The names of a new table's indexes must be free. */
  static void checkNames(CatalogState state, TableDefinition definition) {
    List<String> names = new ArrayList<>();
    definition.indexes().forEach(index -> names.add(index.schema().name()));
    if (definition.primaryKeyName() != null) {
      names.add(definition.primaryKeyName());
    }
    for (String name : names) {
      TableEntry owner = owner(state, definition.schema(), name);
      if (owner != null || names.indexOf(name) != names.lastIndexOf(name)) {
        throw new NelumboException(
            ErrorCode.INDEX_EXISTS,
            "constraint or index '"
                + name
                + "' exists already"
                + (owner == null ? "" : " on table " + owner)
                + "; choose another name");
      }
    }
  }

  void create(CreateIndex create, String schema, long timeoutNanos) {
    TableEntry table = ObjectNames.table(catalog.draft(), create.table(), schema);
    String name = ObjectNames.simple(create.name());
    if (owner(catalog.draft(), table.schemaName(), name) != null) {
      if (create.ifNotExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.INDEX_EXISTS,
          "Index '" + name + "' exists already",
          create.name().getParserPosition());
    }
    int count = create.columns().size();
    int[] columns = new int[count];
    boolean[] descending = new boolean[count];
    for (int i = 0; i < count; i++) {
      IndexColumn column = (IndexColumn) create.columns().get(i);
      columns[i] = ordinal(table, column.name());
      descending[i] = column.descending();
      int at = i;
      if (IntStream.range(0, i).anyMatch(before -> columns[before] == columns[at])) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "column " + column.name() + " is named twice",
            column.getParserPosition());
      }
    }
    IndexSchema index =
        new IndexSchema(catalog.newId(), name, create.unique(), columns, descending);
    add(table, IndexDefinition.ofIndex(index), timeoutNanos);
  }

  private static int ordinal(TableEntry table, SqlIdentifier column) {
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).name().equals(ObjectNames.simple(column))) {
        return i;
      }
    }
    throw ObjectNames.noColumn(column, table.name());
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
    String name = ObjectNames.simple(drop.name());
    String indexSchema = ObjectNames.schema(drop.name(), schema);
    TableEntry table =
        drop.table() == null
            ? owner(catalog.draft(), indexSchema, name)
            : ObjectNames.table(catalog.draft(), drop.table(), schema);
    IndexDefinition index = table == null ? null : table.definition().index(name);
    if (index == null) {
      if (drop.ifExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_INDEX,
          table != null && name.equals(table.definition().primaryKeyName())
              ? "'" + name + "' is the primary key of " + table + " and cannot be dropped"
              : "Index '" + name + "' not found",
          drop.name().getParserPosition());
    }
    if (index.constraint()) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_IN_USE,
          "index "
              + name
              + " belongs to a UNIQUE constraint; write ALTER TABLE "
              + table.name()
              + " DROP CONSTRAINT "
              + name,
          drop.name().getParserPosition());
    }
    remove(table, index, drop.name(), timeoutNanos);
  }

  void rename(RenameObject rename, String schema, long timeoutNanos) {
    String from = ObjectNames.simple(rename.name());
    String to = ObjectNames.simple(rename.newName());
    String indexSchema = ObjectNames.schema(rename.name(), schema);
    TableEntry table = owner(catalog.draft(), indexSchema, from);
    if (table == null) {
      if (rename.ifExists()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_INDEX,
          "Index '" + from + "' not found",
          rename.name().getParserPosition());
    }
    if (owner(catalog.draft(), indexSchema, to) != null) {
      throw SqlErrors.at(
          ErrorCode.INDEX_EXISTS,
          "Index '" + to + "' exists already",
          rename.newName().getParserPosition());
    }
    TableDefinition renamed = renamed(table.definition(), from, to);
    rename(catalog, exclusiveMetadataLocks, table, renamed, timeoutNanos);
  }

  /** A definition with another name for an index, that of the primary key or another one. */
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
      indexes.add(
          schema.name().equals(from)
              ? new IndexDefinition(
                  new IndexSchema(
                      schema.id(), to, schema.unique(), schema.columns(), schema.descending()),
                  index.constraint(),
                  index.root())
              : index);
    }
    return old.withIndexes(indexes);
  }

  /** Gives a table a definition with other names. */
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

  /** Removes an index; a foreign key that needs its columns to be unique has to go first. */
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
    IndexStore store =
        Arrays.stream(table.store().indexes())
            .filter(each -> each.schema().id() == index.schema().id())
            .findFirst()
            .orElseThrow();
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          List<IndexDefinition> indexes = new ArrayList<>(table.definition().indexes());
          indexes.remove(index);
          String name = index.schema().name();
          Comments comments = table.definition().comments().with(Comments.Part.INDEX, name, null);
          if (index.constraint()) {
            comments = comments.with(Comments.Part.CONSTRAINT, name, null);
          }
          TableDefinition changed = table.definition().withIndexes(indexes).withComments(comments);
          catalog.replaceTable(table, changed, table.store());
          catalog.whenPublished(() -> takeBack(table, store));
        });
  }

  private static boolean sameColumns(ForeignKeyDefinition key, IndexDefinition index) {
    return index.schema().unique()
        && set(key.referencedColumns()).equals(set(index.schema().columns()));
  }

  private static Set<Integer> set(int[] columns) {
    return Arrays.stream(columns).boxed().collect(Collectors.toSet());
  }
}
