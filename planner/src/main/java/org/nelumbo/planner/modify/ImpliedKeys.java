package org.nelumbo.planner.modify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.ast.InsertOnConflict;
import org.nelumbo.parser.ast.Upsert;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Resolves what the upsert statements of MySQL and H2 leave implicit: the conflict key and the
 * updated columns.
 */
public final class ImpliedKeys {
  private final TableEntry table;
  private final TableDefinition definition;
  private final Upsert upsert;

  private ImpliedKeys(TableEntry table, Upsert upsert) {
    this.table = table;
    this.definition = table.definition();
    this.upsert = upsert;
  }

  /**
   * Rewrites the statement with ON CONFLICT.
   *
   * @throws org.nelumbo.error.NelumboException 42P10 if the table has no suitable key, 0A000 if it
   *     has several
   */
  public static InsertOnConflict resolve(TableEntry table, Upsert upsert) {
    return new ImpliedKeys(table, upsert).resolved();
  }

  private InsertOnConflict resolved() {
    SqlParserPos position = upsert.getParserPosition();
    SqlNodeList key = upsert.key() == null ? names(impliedKey()) : upsert.key();
    SqlNodeList columns = upsert.columns() == null ? updated(key) : upsert.columns();
    SqlNodeList values = upsert.values() == null ? excluded(columns) : qualified(upsert.values());
    boolean updates = !columns.isEmpty();
    return new InsertOnConflict(
        position,
        upsert.insert(),
        key,
        null,
        null,
        updates ? columns : null,
        updates ? values : null,
        null);
  }

  private static SqlNodeList excluded(SqlNodeList columns) {
    List<SqlNode> values = new ArrayList<>();
    columns.forEach(column -> values.add(Upsert.excluded((SqlIdentifier) column)));
    return new SqlNodeList(values, columns.getParserPosition());
  }

  private SqlNodeList qualified(SqlNodeList values) {
    String tableName = ((SqlIdentifier) upsert.insert().getTargetTable()).names.getLast();
    Set<String> columns = table.columns().stream().map(Column::name).collect(Collectors.toSet());
    SqlShuttle qualifier =
        new SqlShuttle() {
          @Override
          public SqlNode visit(SqlCall call) {
            return call.isA(SqlKind.QUERY) ? call : super.visit(call);
          }

          @Override
          public SqlNode visit(SqlIdentifier name) {
            return name.isSimple() && columns.contains(name.getSimple())
                ? new SqlIdentifier(List.of(tableName, name.getSimple()), name.getParserPosition())
                : name;
          }
        };
    return (SqlNodeList) values.accept(qualifier);
  }

  /** Columns that draw a unique number from an identity do not count as provided. */
  private int[] impliedKey() {
    List<int[]> keys = new ArrayList<>();
    if (definition.hiddenColumn() < 0 && isGiven(definition.primaryKey())) {
      keys.add(definition.primaryKey());
    }
    boolean merges = upsert.columns() == null && !upsert.whole();
    for (IndexDefinition index : merges ? List.<IndexDefinition>of() : definition.indexes()) {
      if (index.schema().unique()
          && (!index.keys().isEmpty() || isGiven(index.schema().columns()))) {
        keys.add(index.keys().isEmpty() ? index.schema().columns() : null);
      }
    }
    if (keys.size() == 1 && keys.getFirst() != null) {
      return keys.getFirst();
    }
    throw SqlErrors.at(
        keys.isEmpty() ? ErrorCode.NO_SUCH_KEY : ErrorCode.UNSUPPORTED,
        keys.isEmpty()
            ? "the row brings no primary key or unique columns of " + table.name()
            : table.name()
                + " has several keys that the row may share with others; use INSERT ... ON CONFLICT"
                + " (key) DO UPDATE SET ...",
        upsert.getParserPosition());
  }

  private boolean isGiven(int[] key) {
    return Arrays.stream(key)
        .allMatch(column -> definition.identity(column) == null || isInserted(name(column)));
  }

  private boolean isInserted(String column) {
    SqlNodeList inserted = upsert.insert().getTargetColumnList();
    return inserted == null || namesOf(inserted).contains(column);
  }

  private static Set<String> namesOf(SqlNodeList columns) {
    return columns.stream()
        .map(column -> ((SqlIdentifier) column).names.getLast())
        .collect(Collectors.toSet());
  }

  private String name(int column) {
    return table.columns().get(column).name();
  }

  private SqlNodeList names(int[] columns) {
    List<SqlNode> names = new ArrayList<>();
    for (int column : columns) {
      names.add(new SqlIdentifier(name(column), upsert.getParserPosition()));
    }
    return new SqlNodeList(names, upsert.getParserPosition());
  }

  /**
   * Returns the columns to update: the given columns outside of the key, or all columns for
   * REPLACE.
   */
  private SqlNodeList updated(SqlNodeList key) {
    Set<String> keys = namesOf(key);
    List<Integer> columns = new ArrayList<>();
    List<Column> all = table.columns();
    for (int column = 0; column < definition.visibleColumns(); column++) {
      String name = all.get(column).name();
      boolean draws = definition.identity(column) != null;
      boolean wanted = isInserted(name) || (upsert.whole() && !draws);
      if (wanted && !keys.contains(name) && definition.generation(column) == null) {
        columns.add(column);
      }
    }
    return names(columns.stream().mapToInt(Integer::intValue).toArray());
  }
}
