package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.parser.ast.ReferentialAction;

/**
 * The complete definition of a table in the catalog, which {@link DefinitionCodec} writes into the
 * pool.
 *
 * @param storeId id of the row store in the pool. A store that replaces another one has a new id,
 *     so that cached state of the old store is never used for the new one
 * @param columns all columns; a hidden one (of a table without primary key) is the last
 * @param primaryKey ordinals in key order
 * @param primaryKeyName name of the constraint; null if the key is the hidden column
 * @param critical ordinal of the critical field
 * @param hashed true if the table has a hash index
 * @param identities the identity columns
 * @param generated the columns that are computed from others, in their order
 */
public record TableDefinition(
    int id,
    int storeId,
    String schema,
    String name,
    List<Column> columns,
    int[] primaryKey,
    String primaryKeyName,
    int critical,
    int versions,
    boolean ordered,
    boolean hashed,
    List<IdentityDefinition> identities,
    List<IndexDefinition> indexes,
    List<CheckDefinition> checks,
    List<ForeignKeyDefinition> foreignKeys,
    List<GeneratedDefinition> generated,
    Comments comments,
    long hashRoot,
    long primaryRoot) {

  public TableDefinition {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
    checks = List.copyOf(checks);
    foreignKeys = List.copyOf(foreignKeys);
    generated = List.copyOf(generated);
    identities = List.copyOf(identities);
  }

  /** Purposes of a secondary index. Stored by ordinal. */
  public enum IndexPurpose {
    /** An index of CREATE INDEX. */
    NONE,

    /** An index of a UNIQUE constraint. */
    UNIQUE,

    /** An index of a FOREIGN KEY whose columns had no index. */
    FOREIGN_KEY
  }

  /**
   * A secondary index.
   *
   * @param condition the condition of a partial index as SQL text; null if it contains all rows
   * @param keys names and expressions of the key as SQL text; empty if the index contains all rows
   *     and only columns. Hidden columns hold the values of expressions. In rows outside of a
   *     partial index the hidden column of the first key is NULL
   */
  public record IndexDefinition(
      IndexSchema schema, IndexPurpose purpose, long root, String condition, List<String> keys) {
    public IndexDefinition {
      keys = List.copyOf(keys);
    }

    /** Returns true if the index belongs to a UNIQUE constraint. */
    public boolean constraint() {
      return purpose == IndexPurpose.UNIQUE;
    }

    /** Creates an index of all rows, on columns. */
    public IndexDefinition(IndexSchema schema, IndexPurpose purpose, long root) {
      this(schema, purpose, root, null, List.of());
    }

    /** Returns an index of CREATE INDEX that is not in a pool yet. */
    public static IndexDefinition ofIndex(IndexSchema schema) {
      return new IndexDefinition(schema, IndexPurpose.NONE, 0);
    }

    /** Returns the index of a UNIQUE constraint that is not in a pool yet. */
    public static IndexDefinition ofConstraint(IndexSchema schema) {
      return new IndexDefinition(schema, IndexPurpose.UNIQUE, 0);
    }

    /** Returns the index of a FOREIGN KEY that is not in a pool yet. */
    public static IndexDefinition ofForeignKey(IndexSchema schema) {
      return new IndexDefinition(schema, IndexPurpose.FOREIGN_KEY, 0);
    }

    public IndexDefinition withRoot(long newRoot) {
      return new IndexDefinition(schema, purpose, newRoot, condition, keys);
    }

    public IndexDefinition withSchema(IndexSchema newSchema) {
      return new IndexDefinition(newSchema, purpose, root, condition, keys);
    }
  }

  /** A CHECK constraint; {@code text} is its condition as SQL. */
  public record CheckDefinition(String name, String text) {}

  /** A FOREIGN KEY: columns that refer to a unique key of another table. */
  public record ForeignKeyDefinition(
      String name,
      int[] columns,
      int referencedTable,
      int[] referencedColumns,
      ReferentialAction onDelete,
      ReferentialAction onUpdate) {
    /** Returns this key under another name. */
    public ForeignKeyDefinition withName(String newName) {
      return new ForeignKeyDefinition(
          newName, columns, referencedTable, referencedColumns, onDelete, onUpdate);
    }

    /**
     * Returns the action on referring rows when a referenced row is deleted or its key is updated.
     */
    public ReferentialAction action(boolean keyChanges) {
      return keyChanges ? onUpdate : onDelete;
    }
  }

  /**
   * An identity column.
   *
   * @param id id of its numbers in the catalog
   * @param always whether only the engine may supply values
   */
  public record IdentityDefinition(int id, int column, boolean always, long start, long increment) {
    /** Returns this definition for another column ordinal. */
    public IdentityDefinition withColumn(int newColumn) {
      return new IdentityDefinition(id, newColumn, always, start, increment);
    }
  }

  /** A column that is computed when a row is written; {@code text} is the expression as SQL. */
  public record GeneratedDefinition(int column, String text) {}

  /** Returns the generation expression of a column as SQL text, or null for an ordinary column. */
  public String generation(int column) {
    for (GeneratedDefinition each : generated) {
      if (each.column() == column) {
        return each.text();
      }
    }
    return null;
  }

  /** Returns the identity definition of a column, or null if it has none. */
  public IdentityDefinition identity(int column) {
    for (IdentityDefinition each : identities) {
      if (each.column() == column) {
        return each;
      }
    }
    return null;
  }

  /**
   * Returns the columns whose values are generated numbers: the identity columns and the hidden
   * key.
   */
  public int[] numberedColumns() {
    IntStream hidden = hiddenColumn() < 0 ? IntStream.empty() : IntStream.of(hiddenColumn());
    return IntStream.concat(identities.stream().mapToInt(IdentityDefinition::column), hidden)
        .toArray();
  }

  /**
   * Returns the id of the numbers of a numbered column in the catalog; for a hidden key, the table
   * id.
   */
  public int sequenceId(int numberedColumn) {
    IdentityDefinition identity = identity(numberedColumn);
    return identity == null ? id : identity.id();
  }

  /**
   * Returns the ordinal of the hidden key column, which is the last column, or -1 if there is none.
   */
  public int hiddenColumn() {
    int last = columns.size() - 1;
    return columns.get(last).hidden() && generation(last) == null ? last : -1;
  }

  /** Returns the number of columns that are visible to users; they come first. */
  public int visibleColumns() {
    int count = columns.size();
    while (count > 0 && columns.get(count - 1).hidden()) {
      count--;
    }
    return count;
  }

  /** Returns true if hidden columns hold the values of index expressions. */
  public boolean hasIndexExpressions() {
    return indexes.stream().anyMatch(index -> !index.keys().isEmpty());
  }

  /** Returns the schema for the storage engine. */
  public TableSchema toSchema() {
    List<IndexSchema> schemas = new ArrayList<>();
    indexes.forEach(index -> schemas.add(index.schema()));
    return new TableSchema(
        storeId, name, columns, primaryKey, critical, versions, ordered, hashed, schemas);
  }

  /** Returns the index with a name, or null if it does not exist. */
  public IndexDefinition index(String indexName) {
    for (IndexDefinition index : indexes) {
      if (index.schema().name().equals(indexName)) {
        return index;
      }
    }
    return null;
  }

  /** Creates a builder for a table that is not in a pool yet, without columns. */
  public static Builder builder(int id, String schema, String name) {
    return new Builder(id, schema, name);
  }

  /** Creates a builder with the contents of this definition. */
  public Builder toBuilder() {
    return new Builder(id, schema, name)
        .storeId(storeId)
        .columns(columns)
        .primaryKey(primaryKey, primaryKeyName)
        .critical(critical)
        .versions(versions)
        .ordered(ordered)
        .hashed(hashed)
        .identities(identities)
        .indexes(indexes)
        .checks(checks)
        .foreignKeys(foreignKeys)
        .generated(generated)
        .comments(comments)
        .roots(hashRoot, primaryRoot);
  }

  /** Returns this definition for a store that replaces the current one. */
  public TableDefinition withStoreId(int newStoreId) {
    return toBuilder().storeId(newStoreId).build();
  }

  TableDefinition withRoots(long newHashRoot, long newPrimaryRoot) {
    return toBuilder().roots(newHashRoot, newPrimaryRoot).build();
  }

  /** Returns this definition with the addresses of a store that was created for it. */
  public TableDefinition withRoots(TableStore store) {
    List<IndexDefinition> placed = new ArrayList<>();
    for (int i = 0; i < store.indexes().length; i++) {
      placed.add(indexes.get(i).withRoot(store.indexes()[i].root()));
    }
    long primary = store.primary() == null ? 0 : store.primary().root();
    return withIndexes(placed).withRoots(store.hashRoot(), primary);
  }

  public TableDefinition withIndexes(List<IndexDefinition> newIndexes) {
    return toBuilder().indexes(newIndexes).build();
  }

  public TableDefinition withForeignKeys(List<ForeignKeyDefinition> newForeignKeys) {
    return toBuilder().foreignKeys(newForeignKeys).build();
  }

  public TableDefinition withChecks(List<CheckDefinition> newChecks) {
    return toBuilder().checks(newChecks).build();
  }

  public TableDefinition withGenerated(List<GeneratedDefinition> newGenerated) {
    return toBuilder().generated(newGenerated).build();
  }

  public TableDefinition withComments(Comments newComments) {
    return toBuilder().comments(newComments).build();
  }

  public TableDefinition withName(String newName) {
    return toBuilder().name(newName).build();
  }

  public TableDefinition withColumns(List<Column> newColumns) {
    return toBuilder().columns(newColumns).build();
  }

  /** Builds a definition; everything that is not set is empty, absent or 0. */
  public static final class Builder {
    private final int id;
    private int storeId;
    private final String schema;
    private String name;
    private List<Column> columns = List.of();
    private int[] primaryKey = {};
    private String primaryKeyName;
    private int critical;
    private int versions;
    private boolean ordered;
    private boolean hashed = true;
    private List<IdentityDefinition> identities = List.of();
    private List<IndexDefinition> indexes = List.of();
    private List<CheckDefinition> checks = List.of();
    private List<ForeignKeyDefinition> foreignKeys = List.of();
    private List<GeneratedDefinition> generated = List.of();
    private Comments comments = Comments.NONE;
    private long hashRoot;
    private long primaryRoot;

    private Builder(int id, String schema, String name) {
      this.id = id;
      this.storeId = id;
      this.schema = schema;
      this.name = name;
    }

    /** Sets the store id; the table id unless the store has been replaced. */
    Builder storeId(int value) {
      storeId = value;
      return this;
    }

    Builder name(String value) {
      name = value;
      return this;
    }

    public Builder columns(List<Column> value) {
      columns = value;
      return this;
    }

    /**
     * Sets the ordinals in key order and the name of the constraint, which is null if there is
     * none.
     */
    public Builder primaryKey(int[] ordinals, String nameOrNull) {
      primaryKey = ordinals;
      primaryKeyName = nameOrNull;
      return this;
    }

    public Builder critical(int ordinal) {
      critical = ordinal;
      return this;
    }

    public Builder versions(int value) {
      versions = value;
      return this;
    }

    public Builder ordered(boolean value) {
      ordered = value;
      return this;
    }

    /** Sets whether the table has a hash index; the default is true. */
    public Builder hashed(boolean value) {
      hashed = value;
      return this;
    }

    public Builder identities(List<IdentityDefinition> value) {
      identities = value;
      return this;
    }

    public Builder indexes(List<IndexDefinition> value) {
      indexes = value;
      return this;
    }

    public Builder checks(List<CheckDefinition> value) {
      checks = value;
      return this;
    }

    public Builder foreignKeys(List<ForeignKeyDefinition> value) {
      foreignKeys = value;
      return this;
    }

    public Builder generated(List<GeneratedDefinition> value) {
      generated = value;
      return this;
    }

    public Builder comments(Comments value) {
      comments = value;
      return this;
    }

    /** Sets the addresses of the hash index and the primary index in the pool. */
    public Builder roots(long hash, long primary) {
      hashRoot = hash;
      primaryRoot = primary;
      return this;
    }

    public TableDefinition build() {
      return new TableDefinition(
          id,
          storeId,
          schema,
          name,
          columns,
          primaryKey,
          primaryKeyName,
          critical,
          versions,
          ordered,
          hashed,
          identities,
          indexes,
          checks,
          foreignKeys,
          generated,
          comments,
          hashRoot,
          primaryRoot);
    }
  }
}
