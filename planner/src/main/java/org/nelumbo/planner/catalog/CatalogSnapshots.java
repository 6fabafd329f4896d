package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.IndexInfo.IndexColumn;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/** Presents versions of the catalog as {@link CatalogReader}s. */
public final class CatalogSnapshots {
  private CatalogSnapshots() {}

  public static CatalogReader of(CatalogState state) {
    return new Snapshot(state);
  }

  private record Snapshot(CatalogState state) implements CatalogReader {
    @Override
    public List<String> schemas() {
      return List.copyOf(state.schemaNames());
    }

    @Override
    public List<TableInfo> tables() {
      List<TableInfo> tables = new ArrayList<>();
      for (String schema : state.schemaNames()) {
        for (Relation relation : state.relations(schema)) {
          if (!(relation instanceof SequenceEntry)) {
            tables.add(info(state, relation));
          }
        }
      }
      return tables;
    }

    @Override
    public List<SequenceInfo> sequences() {
      List<SequenceInfo> sequences = new ArrayList<>();
      for (String schema : state.schemaNames()) {
        for (Relation relation : state.relations(schema)) {
          if (relation instanceof SequenceEntry sequence) {
            sequences.add(
                new SequenceInfo(
                    schema,
                    sequence.name(),
                    sequence.definition().increment(),
                    sequence.definition().comment()));
          }
        }
      }
      return sequences;
    }

    @Override
    public TableInfo table(String schema, String name) {
      Relation relation = state.relation(schema, name);
      return relation == null || relation instanceof SequenceEntry ? null : info(state, relation);
    }
  }

  private static TableInfo info(CatalogState state, Relation relation) {
    Comments comments = comments(relation);
    TableDefinition defined = relation instanceof TableEntry table ? table.definition() : null;
    List<ColumnInfo> columns = new ArrayList<>();
    for (Column column : relation.columns()) {
      columns.add(
          new ColumnInfo(
              column.name(),
              columns.size() + 1,
              column.type(),
              column.defaultText(),
              column.identity(),
              defined == null ? null : defined.generation(columns.size()),
              comments.of(Comments.Part.COLUMN, column.name())));
    }
    if (!(relation instanceof TableEntry table)) {
      return new TableInfo(
          relation.schemaName(),
          relation.name(),
          relation instanceof SystemView,
          columns,
          List.of(),
          null,
          List.of(),
          List.of(),
          -1,
          relation instanceof ViewEntry view ? view.text() : null,
          comments.ofObject());
    }
    TableDefinition definition = table.definition();
    boolean keyed = definition.hiddenColumn() < 0;
    List<String> key = keyed ? names(definition, definition.primaryKey()) : List.of();
    return new TableInfo(
        table.schemaName(),
        table.name(),
        false,
        columns,
        key,
        definition.primaryKeyName(),
        indexes(definition, key),
        foreignKeys(state, definition),
        -1,
        null,
        comments.ofObject());
  }

  private static Comments comments(Relation relation) {
    return switch (relation) {
      case TableEntry table -> table.definition().comments();
      case ViewEntry view -> view.comments();
      default -> Comments.NONE;
    };
  }

  private static List<String> names(TableDefinition definition, int[] ordinals) {
    List<String> names = new ArrayList<>();
    for (int ordinal : ordinals) {
      names.add(definition.columns().get(ordinal).name());
    }
    return names;
  }

  private static List<ForeignKeyInfo> foreignKeys(CatalogState state, TableDefinition definition) {
    List<ForeignKeyInfo> keys = new ArrayList<>();
    for (ForeignKeyDefinition key : definition.foreignKeys()) {
      TableDefinition parent = state.table(key.referencedTable()).definition();
      keys.add(
          new ForeignKeyInfo(
              key.name(),
              names(definition, key.columns()),
              parent.schema(),
              parent.name(),
              names(parent, key.referencedColumns()),
              uniqueName(parent, key.referencedColumns()),
              key.onDelete(),
              key.onUpdate()));
    }
    return keys;
  }

  private static String uniqueName(TableDefinition definition, int[] columns) {
    int[] key = sorted(columns);
    if (Arrays.equals(key, sorted(definition.primaryKey()))) {
      return definition.primaryKeyName();
    }
    for (IndexDefinition index : definition.indexes()) {
      if (index.schema().unique() && Arrays.equals(key, sorted(index.schema().columns()))) {
        return index.schema().name();
      }
    }
    return null;
  }

  private static int[] sorted(int[] values) {
    return Arrays.stream(values).sorted().toArray();
  }

  private static String remarks(TableDefinition definition, String index) {
    return definition.comments().of(Comments.Part.INDEX, index);
  }

  private static String columnOrText(TableDefinition definition, String key) {
    for (Column column : definition.columns().subList(0, definition.visibleColumns())) {
      if (key.equals('"' + column.name().replace("\"", "\"\"") + '"')) {
        return column.name();
      }
    }
    return key;
  }

  private static List<IndexInfo> indexes(TableDefinition definition, List<String> key) {
    List<IndexInfo> indexes = new ArrayList<>();
    if (!key.isEmpty()) {
      List<IndexColumn> columns =
          key.stream().map(name -> new IndexColumn(name, true)).collect(Collectors.toList());
      indexes.add(
          new IndexInfo(
              definition.schema(),
              definition.primaryKeyName(),
              true,
              true,
              columns,
              null,
              remarks(definition, definition.primaryKeyName())));
    }
    for (IndexDefinition index : definition.indexes()) {
      List<String> names = names(definition, index.schema().columns());
      List<IndexColumn> columns = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        boolean visible =
            index.keys().isEmpty() || index.schema().columns()[i] < definition.visibleColumns();
        String name = visible ? names.get(i) : columnOrText(definition, index.keys().get(i));
        columns.add(new IndexColumn(name, !index.schema().descending()[i]));
      }
      indexes.add(
          new IndexInfo(
              definition.schema(),
              index.schema().name(),
              index.schema().unique(),
              false,
              columns,
              index.condition(),
              remarks(definition, index.schema().name())));
    }
    return indexes;
  }
}
