package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/**
 * A new form of a table, with the old column from which each new column is copied.
 *
 * @param definition definition of the new form; its roots are still those of the old form
 * @param sources ordinal of the old column for each new column, -1 for an added column
 * @param computed expressions over the old columns for the values of new columns
 */
record ColumnMapping(TableDefinition definition, int[] sources, Map<Integer, SqlNode> computed) {
  ColumnMapping(TableDefinition definition, int[] sources) {
    this(definition, sources, Map.of());
  }

  /** Returns the mapping that changes nothing. */
  static ColumnMapping same(TableDefinition definition) {
    int[] sources = new int[definition.columns().size()];
    Arrays.setAll(sources, i -> i);
    return new ColumnMapping(definition, sources);
  }

  /** Composes this mapping with the one applied before it. */
  ColumnMapping after(ColumnMapping before) {
    int[] all = Arrays.stream(sources).map(i -> i < 0 ? -1 : before.sources[i]).toArray();
    return new ColumnMapping(definition, all);
  }

  /** Adds a column after the other visible columns. */
  static ColumnMapping withColumn(TableDefinition old, Column column) {
    return withColumn(old, column, old.visibleColumns());
  }

  /** Adds a hidden column that is computed from others; a hidden key stays the last column. */
  static ColumnMapping withHidden(TableDefinition old, Column column, String generation) {
    int at = old.hiddenColumn() < 0 ? old.columns().size() : old.hiddenColumn();
    return withColumn(old, column, at).generating(at, generation);
  }

  private static ColumnMapping withColumn(TableDefinition old, Column column, int at) {
    List<Column> columns = new ArrayList<>(old.columns());
    columns.add(at, column);
    int[] sources = new int[columns.size()];
    Arrays.setAll(sources, i -> i < at ? i : i == at ? -1 : i - 1);
    return new ColumnMapping(moved(old, columns, i -> i < at ? i : i + 1), sources);
  }

  /** Removes a column to which only an identity may refer. */
  static ColumnMapping withoutColumn(TableDefinition old, int at) {
    List<Column> columns = new ArrayList<>(old.columns());
    columns.remove(at);
    int[] sources = new int[columns.size()];
    Arrays.setAll(sources, i -> i < at ? i : i + 1);
    TableDefinition definition =
        moved(old, columns, i -> i < at ? i : i == at ? -1 : i - 1)
            .withComments(
                old.comments().with(Comments.Part.COLUMN, old.columns().get(at).name(), null));
    return new ColumnMapping(definition, sources);
  }

  /** Replaces the hidden key by a primary key. */
  static ColumnMapping withPrimaryKey(TableDefinition old, int[] key, String name) {
    List<Column> columns = new ArrayList<>(old.columns());
    columns.remove(old.hiddenColumn());
    for (int at : key) {
      Column column = columns.get(at);
      columns.set(
          at,
          new Column(
              column.name(),
              column.type().withNullable(false),
              column.defaultText(),
              column.identity(),
              false));
    }
    int[] sources = new int[columns.size()];
    Arrays.setAll(sources, i -> i);
    TableDefinition definition =
        old.toBuilder().columns(columns).primaryKey(key, name).critical(key[0]).build();
    return new ColumnMapping(definition, sources);
  }

  /** Replaces the primary key by a hidden key. */
  static ColumnMapping withoutPrimaryKey(TableDefinition old, Column hidden) {
    List<Column> columns = new ArrayList<>(old.columns());
    columns.add(hidden);
    int at = columns.size() - 1;
    int[] sources = new int[columns.size()];
    Arrays.setAll(sources, i -> i < at ? i : -1);
    TableDefinition definition =
        old.toBuilder()
            .columns(columns)
            .primaryKey(new int[] {at}, null)
            .critical(at)
            .comments(
                old.comments()
                    .with(Comments.Part.CONSTRAINT, old.primaryKeyName(), null)
                    .with(Comments.Part.INDEX, old.primaryKeyName(), null))
            .build();
    return new ColumnMapping(definition, sources);
  }

  /** Sets the expression from which a new column is computed. */
  ColumnMapping generating(int column, String text) {
    List<GeneratedDefinition> generated = new ArrayList<>(definition.generated());
    generated.add(new GeneratedDefinition(column, text));
    return new ColumnMapping(definition.withGenerated(generated), sources);
  }

  /** Sets the expression over the old columns that computes a column during the copy. */
  ColumnMapping computing(int column, SqlNode value) {
    return new ColumnMapping(definition, sources, Map.of(column, value));
  }

  /** Makes a new column an identity column that numbers the rows. */
  ColumnMapping numbering(IdentityDefinition identity) {
    List<IdentityDefinition> identities = new ArrayList<>(definition.identities());
    identities.add(identity);
    TableDefinition numbered = definition.toBuilder().identities(identities).build();
    return new ColumnMapping(numbered, sources);
  }

  /** Replaces the indexes. */
  ColumnMapping withIndexes(List<IndexDefinition> indexes) {
    return new ColumnMapping(definition.withIndexes(indexes), sources);
  }

  /** Returns a mapping that replaces one column definition. */
  static ColumnMapping withChanged(TableDefinition old, int at, Column column) {
    List<Column> columns = new ArrayList<>(old.columns());
    columns.set(at, column);
    return same(old.withColumns(columns));
  }

  private static TableDefinition moved(
      TableDefinition old, List<Column> columns, IntUnaryOperator place) {
    return old.toBuilder()
        .columns(columns)
        .primaryKey(map(old.primaryKey(), place), old.primaryKeyName())
        .critical(place.applyAsInt(old.critical()))
        .identities(identities(old.identities(), place))
        .indexes(old.indexes().stream().map(index -> moved(index, place)).toList())
        .generated(
            old.generated().stream()
                .map(each -> new GeneratedDefinition(place.applyAsInt(each.column()), each.text()))
                .filter(each -> each.column() >= 0)
                .toList())
        .foreignKeys(old.foreignKeys().stream().map(key -> moved(key, old.id(), place)).toList())
        .build();
  }

  private static List<IdentityDefinition> identities(
      List<IdentityDefinition> old, IntUnaryOperator place) {
    return old.stream()
        .map(each -> each.withColumn(place.applyAsInt(each.column())))
        .filter(each -> each.column() >= 0)
        .toList();
  }

  private static IndexDefinition moved(IndexDefinition index, IntUnaryOperator place) {
    IndexSchema old = index.schema();
    return index.withSchema(old.withColumns(map(old.columns(), place)));
  }

  private static ForeignKeyDefinition moved(
      ForeignKeyDefinition key, int table, IntUnaryOperator place) {
    int[] referenced = key.referencedColumns();
    return new ForeignKeyDefinition(
        key.name(),
        map(key.columns(), place),
        key.referencedTable(),
        key.referencedTable() == table ? map(referenced, place) : referenced,
        key.onDelete(),
        key.onUpdate());
  }

  private static int[] map(int[] columns, IntUnaryOperator place) {
    return Arrays.stream(columns).map(place).toArray();
  }
}
