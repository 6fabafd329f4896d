package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
    return with(
        draft -> {
          draft.hashRoot = newHashRoot;
          draft.primaryRoot = newPrimaryRoot;
        });
  }

  public TableDefinition withIndexes(List<IndexDefinition> newIndexes) {
    return with(draft -> draft.indexes = newIndexes);
  }

  public TableDefinition withForeignKeys(List<ForeignKeyDefinition> newForeignKeys) {
    return with(draft -> draft.foreignKeys = newForeignKeys);
  }

  public TableDefinition withChecks(List<CheckDefinition> newChecks) {
    return with(draft -> draft.checks = newChecks);
  }

  public TableDefinition withName(String newName) {
    return with(draft -> draft.name = newName);
  }

  public TableDefinition withColumns(List<Column> newColumns) {
    return with(draft -> draft.columns = newColumns);
  }

  private TableDefinition with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.toDefinition();
  }

  /** What may change of a table, while it is being changed. */
  private static final class Draft {
    private final TableDefinition of;
    private String name;
    private List<Column> columns;
    private List<IndexDefinition> indexes;
    private List<CheckDefinition> checks;
    private List<ForeignKeyDefinition> foreignKeys;
    private long hashRoot;
    private long primaryRoot;

    Draft(TableDefinition of) {
      this.of = of;
      this.name = of.name;
      this.columns = of.columns;
      this.indexes = of.indexes;
      this.checks = of.checks;
      this.foreignKeys = of.foreignKeys;
      this.hashRoot = of.hashRoot;
      this.primaryRoot = of.primaryRoot;
    }

    TableDefinition toDefinition() {
      return new TableDefinition(
          of.id,
          of.schema,
          name,
          columns,
          of.primaryKey,
          of.primaryKeyName,
          of.critical,
          of.versions,
          of.ordered,
          of.identity,
          indexes,
          checks,
          foreignKeys,
          hashRoot,
          primaryRoot);
    }
  }
}
