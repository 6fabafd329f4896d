package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.TableSchema;

/**
 * Everything the catalogue keeps about a table; what {@link DefinitionCodec} writes into the pool.
 *
 * @param columns all columns; a hidden one (of a table without primary key) comes last
 * @param primaryKey ordinals in key order
 * @param primaryKeyName name of the constraint; null if the key is the hidden column
 * @param critical ordinal of the critical field
 * @param identity how one column numbers its rows; null if none does
 */
public record TableDefinition(
    int id,
    String schema,
    String name,
    List<Column> columns,
    int[] primaryKey,
    String primaryKeyName,
    int critical,
    int versions,
    boolean ordered,
    IdentityDefinition identity,
    List<IndexDefinition> indexes,
    List<CheckDefinition> checks,
    List<ForeignKeyDefinition> foreignKeys,
    long hashRoot,
    long primaryRoot) {

  public TableDefinition {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
    checks = List.copyOf(checks);
    foreignKeys = List.copyOf(foreignKeys);
  }

  /** A secondary index; {@code constraint} if it exists for a UNIQUE constraint. */
  public record IndexDefinition(IndexSchema schema, boolean constraint, long root) {}

  /** A CHECK constraint; {@code text} is its condition as SQL. */
  public record CheckDefinition(String name, String text) {}

  /** A FOREIGN KEY: our columns refer to columns of another table that are unique together. */
  public record ForeignKeyDefinition(
      String name, int[] columns, int referencedTable, int[] referencedColumns) {}

  /** A column that numbers its rows; {@code always}: nobody else may give the value. */
  public record IdentityDefinition(int column, boolean always, long start, long increment) {}

  /** Ordinal of the hidden key column, -1 if there is none. */
  public int hiddenColumn() {
    int last = columns.size() - 1;
    return columns.get(last).hidden() ? last : -1;
  }

  /** How many columns users see; they are the first ones. */
  public int visibleColumns() {
    return hiddenColumn() < 0 ? columns.size() : columns.size() - 1;
  }

  /** What the engine needs to know. */
  public TableSchema toSchema() {
    List<IndexSchema> schemas = new ArrayList<>();
    indexes.forEach(index -> schemas.add(index.schema()));
    return new TableSchema(id, name, columns, primaryKey, critical, versions, ordered, schemas);
  }

  /** The index with a name, null if there is none. */
  public IndexDefinition index(String indexName) {
    for (IndexDefinition index : indexes) {
      if (index.schema().name().equals(indexName)) {
        return index;
      }
    }
    return null;
  }

  public TableDefinition withRoots(long newHashRoot, long newPrimaryRoot) {
    return new TableDefinition(
        id,
        schema,
        name,
        columns,
        primaryKey,
        primaryKeyName,
        critical,
        versions,
        ordered,
        identity,
        indexes,
        checks,
        foreignKeys,
        newHashRoot,
        newPrimaryRoot);
  }

  public TableDefinition withIndexes(List<IndexDefinition> newIndexes) {
    return new TableDefinition(
        id,
        schema,
        name,
        columns,
        primaryKey,
        primaryKeyName,
        critical,
        versions,
        ordered,
        identity,
        newIndexes,
        checks,
        foreignKeys,
        hashRoot,
        primaryRoot);
  }

  public TableDefinition withForeignKeys(List<ForeignKeyDefinition> newForeignKeys) {
    return new TableDefinition(
        id,
        schema,
        name,
        columns,
        primaryKey,
        primaryKeyName,
        critical,
        versions,
        ordered,
        identity,
        indexes,
        checks,
        newForeignKeys,
        hashRoot,
        primaryRoot);
  }

  public TableDefinition withChecks(List<CheckDefinition> newChecks) {
    return new TableDefinition(
        id,
        schema,
        name,
        columns,
        primaryKey,
        primaryKeyName,
        critical,
        versions,
        ordered,
        identity,
        indexes,
        newChecks,
        foreignKeys,
        hashRoot,
        primaryRoot);
  }

  public TableDefinition withName(String newName) {
    return new TableDefinition(
        id,
        schema,
        newName,
        columns,
        primaryKey,
        primaryKeyName,
        critical,
        versions,
        ordered,
        identity,
        indexes,
        checks,
        foreignKeys,
        hashRoot,
        primaryRoot);
  }

  public TableDefinition withColumns(List<Column> newColumns) {
    return new TableDefinition(
        id,
        schema,
        name,
        newColumns,
        primaryKey,
        primaryKeyName,
        critical,
        versions,
        ordered,
        identity,
        indexes,
        checks,
        foreignKeys,
        hashRoot,
        primaryRoot);
  }
}
