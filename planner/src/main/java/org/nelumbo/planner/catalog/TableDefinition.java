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
 * Everything the catalogue keeps about a table; what {@link DefinitionCodec} writes into the pool.
 *
 * @param storeId names the store of its rows in the pool; another one whenever a store takes the
 *     place of another, so that nothing that is remembered of the old one is taken for the new one
 * @param columns all columns; a hidden one (of a table without primary key) comes last
 * @param primaryKey ordinals in key order
 * @param primaryKeyName name of the constraint; null if the key is the hidden column
 * @param critical ordinal of the critical field
 * @param identities the columns that number the rows
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

  /** What a secondary index exists for. Stored by ordinals. */
  public enum IndexPurpose {
    /** Itself: CREATE INDEX has made it. */
    NONE,

    /** A UNIQUE constraint. */
    UNIQUE,

    /** A FOREIGN KEY, on whose columns there was no index. */
    FOREIGN_KEY
  }

  /**
   * A secondary index.
   *
   * @param condition which rows it is of, as SQL; null: of all of them
   * @param keys what it is on, as SQL: names and expressions; empty if it is of all rows and on
   *     columns. The values of expressions are in hidden columns; those of the first key of rows
   *     that it is not of are NULL there
   */
  public record IndexDefinition(
      IndexSchema schema, IndexPurpose purpose, long root, String condition, List<String> keys) {
    public IndexDefinition {
      keys = List.copyOf(keys);
    }

    /** Whether it exists for a UNIQUE constraint. */
    public boolean constraint() {
      return purpose == IndexPurpose.UNIQUE;
    }

    /** An index of all rows, on columns. */
    public IndexDefinition(IndexSchema schema, IndexPurpose purpose, long root) {
      this(schema, purpose, root, null, List.of());
    }

    /** An index of CREATE INDEX that is in no pool yet. */
    public static IndexDefinition ofIndex(IndexSchema schema) {
      return new IndexDefinition(schema, IndexPurpose.NONE, 0);
    }

    /** The index of a UNIQUE constraint that is in no pool yet. */
    public static IndexDefinition ofConstraint(IndexSchema schema) {
      return new IndexDefinition(schema, IndexPurpose.UNIQUE, 0);
    }

    /** The index of a FOREIGN KEY that is in no pool yet. */
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

  /** A FOREIGN KEY: our columns refer to columns of another table that are unique together. */
  public record ForeignKeyDefinition(
      String name,
      int[] columns,
      int referencedTable,
      int[] referencedColumns,
      ReferentialAction onDelete,
      ReferentialAction onUpdate) {
    /** This key under another name. */
    public ForeignKeyDefinition withName(String newName) {
      return new ForeignKeyDefinition(
          newName, columns, referencedTable, referencedColumns, onDelete, onUpdate);
    }

    /** What becomes of the rows that refer to one that goes, or to one whose key changes. */
    public ReferentialAction action(boolean keyChanges) {
      return keyChanges ? onUpdate : onDelete;
    }
  }

  /**
   * A column that numbers the rows.
   *
   * @param id names its numbers in the catalogue
   * @param always whether nobody else may give the value
   */
  public record IdentityDefinition(int id, int column, boolean always, long start, long increment) {
    /** This one at another place. */
    public IdentityDefinition withColumn(int newColumn) {
      return new IdentityDefinition(id, newColumn, always, start, increment);
    }
  }

  /** A column that is computed when a row is written; {@code text} is the expression as SQL. */
  public record GeneratedDefinition(int column, String text) {}

  /** What a column is computed from, as SQL; null if it is a column like others. */
  public String generation(int column) {
    for (GeneratedDefinition each : generated) {
      if (each.column() == column) {
        return each.text();
      }
    }
    return null;
  }

  /** How a column numbers the rows; null if it does not. */
  public IdentityDefinition identity(int column) {
    for (IdentityDefinition each : identities) {
      if (each.column() == column) {
        return each;
      }
    }
    return null;
  }

  /** The columns whose values are numbers that nobody has to give: identities, a hidden key. */
  public int[] numberedColumns() {
    IntStream hidden = hiddenColumn() < 0 ? IntStream.empty() : IntStream.of(hiddenColumn());
    return IntStream.concat(identities.stream().mapToInt(IdentityDefinition::column), hidden)
        .toArray();
  }

  /** What names the numbers of such a column in the catalogue; those of a hidden key: the table. */
  public int sequenceId(int numberedColumn) {
    IdentityDefinition identity = identity(numberedColumn);
    return identity == null ? id : identity.id();
  }

  /** Ordinal of the hidden key column, which is the last one; -1 if there is none. */
  public int hiddenColumn() {
    int last = columns.size() - 1;
    return columns.get(last).hidden() && generation(last) == null ? last : -1;
  }

  /** How many columns users see; they are the first ones. */
  public int visibleColumns() {
    int count = columns.size();
    while (count > 0 && columns.get(count - 1).hidden()) {
      count--;
    }
    return count;
  }

  /** Whether hidden columns hold what an index is on. */
  public boolean hasIndexExpressions() {
    return indexes.stream().anyMatch(index -> !index.keys().isEmpty());
  }

  /** What the engine needs to know. */
  public TableSchema toSchema() {
    List<IndexSchema> schemas = new ArrayList<>();
    indexes.forEach(index -> schemas.add(index.schema()));
    return new TableSchema(
        storeId, name, columns, primaryKey, critical, versions, ordered, schemas);
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

  /** A definition without any column, of a table that is in no pool yet. */
  public static Builder builder(int id, String schema, String name) {
    return new Builder(id, schema, name);
  }

  /** A builder that has all of this definition. */
  public Builder toBuilder() {
    return new Builder(id, schema, name)
        .storeId(storeId)
        .columns(columns)
        .primaryKey(primaryKey, primaryKeyName)
        .critical(critical)
        .versions(versions)
        .ordered(ordered)
        .identities(identities)
        .indexes(indexes)
        .checks(checks)
        .foreignKeys(foreignKeys)
        .generated(generated)
        .comments(comments)
        .roots(hashRoot, primaryRoot);
  }

  /** The definition for a store that takes the place of the present one. */
  public TableDefinition withStoreId(int newStoreId) {
    return toBuilder().storeId(newStoreId).build();
  }

  TableDefinition withRoots(long newHashRoot, long newPrimaryRoot) {
    return toBuilder().roots(newHashRoot, newPrimaryRoot).build();
  }

  /** With the addresses of a store that was made for it. */
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

  /** Puts a definition together; what is not said is empty, absent or 0. */
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

    /** That of the table, unless its store has been replaced. */
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

    /** Ordinals in key order, and the name of the constraint, null if there is none. */
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

    /** Where the hash index and the primary index lie in the pool. */
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
