package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.parser.ast.CheckConstraint;
import org.nelumbo.parser.ast.ColumnDefinition;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.ForeignKeyConstraint;
import org.nelumbo.parser.ast.LikeTable;
import org.nelumbo.parser.ast.PrimaryKeyConstraint;
import org.nelumbo.parser.ast.TableIndex;
import org.nelumbo.parser.ast.UniqueConstraint;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexPurpose;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.frontend.StoredText;
import org.nelumbo.planner.function.NextValueFunction;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Builds the definition of a table from CREATE TABLE, with helpful errors. Its roots are not set.
 */
final class TableBuilder {
  /** Name of the key column of tables without primary key; users cannot write it without quotes. */
  static final String HIDDEN_COLUMN = "$ROW";

  private final CreateTable statement;
  private final CatalogState state;
  private final String schema;
  private final String names;
  private final SqlFrontEnd frontEnd;
  private final IntSupplier ids;
  private final String table;
  private final List<Column> columns = new ArrayList<>();
  private final List<IndexDefinition> indexes = new ArrayList<>();
  private final List<CheckDefinition> checks = new ArrayList<>();
  private final List<ForeignKeyDefinition> foreignKeys = new ArrayList<>();
  private final List<GeneratedDefinition> generated = new ArrayList<>();
  private int[] primaryKey;
  private String primaryKeyName;
  private final List<IdentityDefinition> identities = new ArrayList<>();
  private final List<LikeTable> likes = new ArrayList<>();
  private Comments comments = Comments.NONE;

  /**
   * Creates a builder.
   *
   * @param schema schema of the table
   * @param names default schema for unqualified names
   */
  TableBuilder(
      CreateTable statement,
      CatalogState state,
      String schema,
      String names,
      SqlFrontEnd frontEnd,
      IntSupplier ids) {
    this.statement = statement;
    this.state = state;
    this.schema = schema;
    this.names = names;
    this.frontEnd = frontEnd;
    this.ids = ids;
    this.table = ObjectNames.simple(statement.name());
  }

  TableDefinition build(int defaultVersions) {
    int id = ids.getAsInt();
    for (SqlNode element : statement.elements()) {
      switch (element) {
        case ColumnDefinition column -> addColumn(column);
        case LikeTable like -> addLike(like);
        default -> {} // constraints
      }
    }
    return finish(id, defaultVersions);
  }

  /** Builds a definition with columns from a query. */
  TableDefinition build(int defaultVersions, List<Column> given) {
    int id = ids.getAsInt();
    columns.addAll(given);
    return finish(id, defaultVersions);
  }

  private TableDefinition finish(int id, int defaultVersions) {
    if (columns.isEmpty()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT, "a table needs a column", statement.getParserPosition());
    }
    for (Constraint constraint : statement.constraints()) {
      if (constraint instanceof PrimaryKeyConstraint key) {
        setPrimaryKey(key);
      }
    }
    likes.forEach(this::addPrimaryKeyOf);
    if (primaryKey == null) {
      columns.add(new Column(HIDDEN_COLUMN, ColumnType.of(Kind.BIGINT), null, false, true));
      primaryKey = new int[] {columns.size() - 1};
    }
    for (Constraint constraint : statement.constraints()) {
      addConstraint(constraint, id);
    }
    likes.forEach(this::addIndexesOf);
    TableOptions options = TableOptions.of(statement.options(), defaultVersions);
    TableDefinition definition =
        TableDefinition.builder(id, schema, table)
            .columns(columns)
            .primaryKey(primaryKey, primaryKeyName)
            .critical(critical(options))
            .versions(options.versions())
            .ordered(options.ordered())
            .hashed(options.hashed())
            .identities(identities)
            .indexes(indexes)
            .checks(checks)
            .foreignKeys(foreignKeys)
            .generated(generated)
            .comments(comments)
            .build();
    GeneratedColumns.check(definition, frontEnd, state, statement);
    return withForeignKeyIndexes(definition);
  }

  private TableDefinition withForeignKeyIndexes(TableDefinition definition) {
    TableDefinition indexed = definition;
    for (ForeignKeyDefinition key : foreignKeys) {
      if (!ForeignKeys.isIndexed(indexed, key.columns())) {
        String name = ForeignKeys.freeIndexName(key, this::isTaken);
        indexes.add(ForeignKeys.indexOf(key, ids.getAsInt(), name));
        indexed = definition.withIndexes(indexes);
      }
    }
    return indexed;
  }

  private void checkNew(String name, SqlNode place) {
    if (columns.stream().anyMatch(column -> column.name().equals(name))) {
      throw SqlErrors.at(
          ErrorCode.COLUMN_EXISTS,
          "Column '" + name + "' is defined twice",
          place.getParserPosition());
    }
  }

  private void addLike(LikeTable like) {
    TableDefinition other = ObjectNames.table(state, like.table(), names).definition();
    for (int i = 0; i < other.visibleColumns(); i++) {
      Column column = other.columns().get(i);
      checkNew(column.name(), like);
      IdentityDefinition identity =
          like.includes(LikeTable.Part.IDENTITY) ? other.identity(i) : null;
      if (identity != null) {
        identities.add(
            new IdentityDefinition(
                ids.getAsInt(),
                columns.size(),
                identity.always(),
                identity.start(),
                identity.increment()));
      }
      if (like.includes(LikeTable.Part.GENERATED) && other.generation(i) != null) {
        generated.add(new GeneratedDefinition(columns.size(), other.generation(i)));
      }
      if (like.includes(LikeTable.Part.COMMENTS)) {
        String text = other.comments().of(Comments.Part.COLUMN, column.name());
        comments = comments.with(Comments.Part.COLUMN, column.name(), text);
      }
      String defaultText = like.includes(LikeTable.Part.DEFAULTS) ? column.defaultText() : null;
      columns.add(new Column(column.name(), column.type(), defaultText, identity != null, false));
    }
    if (like.includes(LikeTable.Part.CONSTRAINTS)) {
      checks.addAll(other.checks());
    }
    if (like.includes(LikeTable.Part.INDEXES)) {
      likes.add(like);
    }
  }

  private void addPrimaryKeyOf(LikeTable like) {
    TableDefinition other = ObjectNames.table(state, like.table(), names).definition();
    if (other.hiddenColumn() < 0) {
      SqlNodeList key = columnNames(other, other.primaryKey(), like);
      setPrimaryKey(new PrimaryKeyConstraint(like.getParserPosition(), null, key));
    }
  }

  private void addIndexesOf(LikeTable like) {
    TableDefinition other = ObjectNames.table(state, like.table(), names).definition();
    for (IndexDefinition index : other.indexes()) {
      if (index.purpose() == IndexPurpose.FOREIGN_KEY) {
        continue; // because the foreign key is not copied
      }
      if (!index.keys().isEmpty()) {
        throw SqlErrors.at(
            ErrorCode.UNSUPPORTED,
            "index "
                + index.schema().name()
                + " is on expressions, or partial; write EXCLUDING INDEXES, and create it"
                + " afterwards",
            like.getParserPosition());
      }
      int[] ordinals = ordinals(columnNames(other, index.schema().columns(), like));
      String[] called = new String[ordinals.length];
      Arrays.setAll(called, i -> columns.get(ordinals[i]).name());
      String suffix = index.constraint() ? "_KEY" : "_IDX";
      String name = freeName(table + "_" + String.join("_", called) + suffix, 0);
      IndexSchema copy =
          new IndexSchema(
              ids.getAsInt(), name, index.schema().unique(), ordinals, index.schema().descending());
      indexes.add(
          index.constraint() ? IndexDefinition.ofConstraint(copy) : IndexDefinition.ofIndex(copy));
    }
  }

  private String freeName(String stem, int first) {
    return ObjectNames.free(stem, first, this::isTaken);
  }

  private boolean isTaken(String name) {
    return isIndexName(name)
        || name.equals(primaryKeyName)
        || checks.stream().anyMatch(check -> check.name().equals(name))
        || foreignKeys.stream().anyMatch(key -> key.name().equals(name))
        || statement.constraints().stream().anyMatch(each -> isNamed(each, name))
        || IndexChanges.owner(state, schema, name) != null;
  }

  private static boolean isNamed(Constraint constraint, String name) {
    return constraint.name() != null && ObjectNames.simple(constraint.name()).equals(name);
  }

  private boolean isIndexName(String name) {
    return indexes.stream().anyMatch(index -> index.schema().name().equals(name));
  }

  private static SqlNodeList columnNames(TableDefinition of, int[] ordinals, SqlNode place) {
    SqlNodeList list = new SqlNodeList(place.getParserPosition());
    for (int ordinal : ordinals) {
      list.add(new SqlIdentifier(of.columns().get(ordinal).name(), place.getParserPosition()));
    }
    return list;
  }

  private void addColumn(ColumnDefinition definition) {
    String name = ObjectNames.simple(definition.name());
    checkNew(name, definition);
    boolean nullable = !definition.isNotNull() && definition.identity() == null;
    ColumnType type = frontEnd.columnType(definition.type(), state, names).withNullable(nullable);
    String defaultText = null;
    if (definition.defaultValue() != null) {
      SqlNode value = NextValueFunction.qualified(definition.defaultValue(), state, names);
      defaultText = StoredText.of(value);
      frontEnd.checkDefault(value, type, state, names);
    }
    if (definition.identity() != null) {
      setIdentity(definition, type);
    }
    if (definition.generation() != null) {
      generated.add(
          new GeneratedDefinition(columns.size(), StoredText.of(definition.generation())));
    }
    columns.add(new Column(name, type, defaultText, definition.identity() != null, false));
  }

  private void setIdentity(ColumnDefinition definition, ColumnType type) {
    checkIdentity(definition, type);
    identities.add(newIdentity(ids.getAsInt(), columns.size(), definition));
  }

  static void checkIdentity(ColumnDefinition definition, ColumnType type) {
    if (!canBeIdentity(type) || definition.defaultValue() != null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "an identity column has a whole number type and no default",
          definition.getParserPosition());
    }
  }

  static IdentityDefinition newIdentity(int id, int column, ColumnDefinition definition) {
    return new IdentityDefinition(
        id,
        column,
        definition.identity().always(),
        definition.identity().start(),
        definition.identity().increment());
  }

  /** Returns true if a column of this type can be an identity column. */
  static boolean canBeIdentity(ColumnType type) {
    return type.kind().isInteger() || type.kind() == Kind.DECIMAL && type.scale() == 0;
  }

  private void setPrimaryKey(PrimaryKeyConstraint key) {
    if (primaryKey != null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "table " + table + " has more than one primary key",
          key.getParserPosition());
    }
    primaryKey = ordinals(key.columns());
    primaryKeyName =
        key.name() == null ? freeName(table + "_PKEY", 0) : ObjectNames.simple(key.name());
    for (int ordinal : primaryKey) {
      Column column = columns.get(ordinal);
      columns.set(
          ordinal,
          new Column(
              column.name(),
              column.type().withNullable(false),
              column.defaultText(),
              column.identity(),
              column.hidden()));
    }
  }

  private int[] ordinals(SqlNodeList names) {
    int[] ordinals = new int[names.size()];
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < ordinals.length; i++) {
      SqlIdentifier name = (SqlIdentifier) names.get(i);
      ordinals[i] = ordinal(name);
      if (!seen.add(ordinals[i])) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "column " + name + " is named twice",
            name.getParserPosition());
      }
    }
    return ordinals;
  }

  private int ordinal(SqlIdentifier name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(ObjectNames.simple(name)) && !columns.get(i).hidden()) {
        return i;
      }
    }
    throw ObjectNames.noColumn(name, table);
  }

  private void addConstraint(Constraint constraint, int id) {
    switch (constraint) {
      case PrimaryKeyConstraint ignored -> {}
      case UniqueConstraint unique -> addUnique(unique);
      case TableIndex index -> addIndex(index);
      case CheckConstraint check ->
          checks.add(
              new CheckDefinition(
                  name(check, "CHECK_", checks.size() + 1), StoredText.of(check.condition())));
      case ForeignKeyConstraint key -> addForeignKey(key, id);
    }
  }

  private String name(Constraint constraint, String suffix, int first) {
    return constraint.name() == null
        ? freeName(table + "_" + suffix, first)
        : ObjectNames.simple(constraint.name());
  }

  private void addUnique(UniqueConstraint unique) {
    int[] ordinals = ordinals(unique.columns());
    if (unique.name() == null && hasUnique(ordinals)) {
      return; // duplicate
    }
    String name = name(unique, String.join("_", ObjectNames.list(unique.columns())) + "_KEY", 0);
    IndexSchema index = IndexSchema.ascending(ids.getAsInt(), name, true, ordinals);
    indexes.add(IndexDefinition.ofConstraint(index));
  }

  private boolean hasUnique(int[] ordinals) {
    return indexes.stream()
        .anyMatch(index -> index.constraint() && Arrays.equals(index.schema().columns(), ordinals));
  }

  private void addIndex(TableIndex index) {
    String name = name(index, String.join("_", ObjectNames.list(index.columns())) + "_IDX", 0);
    IndexSchema schemaOfIndex =
        IndexSchema.ascending(ids.getAsInt(), name, false, ordinals(index.columns()));
    indexes.add(IndexDefinition.ofIndex(schemaOfIndex));
  }

  private void addForeignKey(ForeignKeyConstraint key, int id) {
    ForeignKeys resolver = new ForeignKeys(state, names, schema);
    String name = name(key, String.join("_", ObjectNames.list(key.columns())) + "_FKEY", 0);
    boolean self =
        ObjectNames.simple(key.referencedTable()).equals(table)
            && ObjectNames.existing(state, key.referencedTable(), schema).equals(schema);
    TableDefinition own =
        TableDefinition.builder(id, schema, table)
            .columns(columns)
            .primaryKey(primaryKey, primaryKeyName)
            .critical(primaryKey[0])
            .versions(2)
            .ordered(true)
            .indexes(indexes)
            .build();
    foreignKeys.add(
        resolver.resolve(key, name, ordinals(key.columns()), columns, self ? own : null));
  }

  private int critical(TableOptions options) {
    if (options.criticalField() == null) {
      return primaryKey[0];
    }
    for (int ordinal : primaryKey) {
      if (columns.get(ordinal).name().equalsIgnoreCase(options.criticalField())) {
        return ordinal;
      }
    }
    SqlNode node = options.criticalFieldNode();
    throw SqlErrors.at(
        ErrorCode.INVALID_STATEMENT,
        "critical_field " + options.criticalField() + " is not a column of the primary key",
        node.getParserPosition());
  }
}
