package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.ast.CreateIndex;
import org.nelumbo.parser.ast.IndexColumn;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.frontend.StoredText;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * The keys of a new index. The values of an expression are in a hidden column, which is computed
 * whenever a row is written. The first key of a partial index is in such a column, too, and is NULL
 * for rows outside of the index: NULL is equal to no value.
 *
 * @param mapping the table with the hidden columns that the index needs
 * @param columns ordinals of the keys in the mapped table
 * @param condition SQL condition for the rows of a partial index; null if the index covers all rows
 * @param texts SQL texts of the keys; empty if all keys are columns, and the index covers all rows
 */
record IndexKeys(
    ColumnMapping mapping,
    int[] columns,
    boolean[] descending,
    String condition,
    List<String> texts) {
  /** Returns the keys that a statement specifies; throws if they cannot be indexed. */
  static IndexKeys of(
      CreateIndex create, TableDefinition table, SqlFrontEnd frontEnd, CatalogState state) {
    List<IndexColumn> wanted = once(create, table);
    int count = wanted.size();
    int[] columns = new int[count];
    boolean[] descending = new boolean[count];
    List<String> texts = new ArrayList<>();
    String condition = condition(create, table, frontEnd, state);
    ColumnMapping mapping = ColumnMapping.same(table);
    boolean plain = condition == null;
    for (int i = 0; i < count; i++) {
      IndexColumn column = wanted.get(i);
      SqlNode key = column.key();
      String text = StoredText.of(key);
      descending[i] = column.descending();
      texts.add(text);
      if (key instanceof SqlIdentifier name) {
        columns[i] = ordinal(table, name);
      }
      if (!(key instanceof SqlIdentifier) || (i == 0 && condition != null)) {
        plain = false;
        String value =
            i == 0 && condition != null
                ? "CASE WHEN " + condition + " THEN " + text + " END"
                : text;
        columns[i] = hidden(mapping.definition(), value);
        if (columns[i] < 0) {
          ColumnType type = type(value, table, frontEnd, state, key.getParserPosition());
          Column hidden = new Column(value, type.orNull(), null, false, true);
          mapping = ColumnMapping.withHidden(mapping.definition(), hidden, value).after(mapping);
          columns[i] = hidden(mapping.definition(), value);
        }
      }
    }
    return new IndexKeys(mapping, columns, descending, condition, plain ? List.of() : texts);
  }

  /** Returns true if the index needs a hidden column that the table does not have. */
  boolean isNew() {
    return IntStream.of(mapping.sources()).anyMatch(source -> source < 0);
  }

  /** Duplicates have no effect. */
  private static List<IndexColumn> once(CreateIndex create, TableDefinition table) {
    Map<String, IndexColumn> once = new LinkedHashMap<>();
    for (SqlNode each : create.columns()) {
      IndexColumn column = (IndexColumn) each;
      SqlNode key = ofPrefix(column.key(), table);
      once.putIfAbsent(
          StoredText.of(key),
          new IndexColumn(column.getParserPosition(), key, column.descending()));
    }
    return List.copyOf(once.values());
  }

  /** Converts {@code c(20)}, MySQL's syntax for a prefix, to the first characters of a column. */
  private static SqlNode ofPrefix(SqlNode key, TableDefinition table) {
    boolean isPrefix =
        key instanceof SqlBasicCall call
            && call.getOperator() instanceof SqlUnresolvedFunction
            && call.operandCount() == 1
            && call.operand(0) instanceof SqlNumericLiteral length
            && length.isInteger()
            && table.columns().stream()
                .anyMatch(column -> column.name().equals(call.getOperator().getName()));
    if (!isPrefix) {
      return key;
    }
    SqlCall call = (SqlCall) key;
    SqlParserPos position = key.getParserPosition();
    return SqlStdOperatorTable.SUBSTRING.createCall(
        position,
        new SqlIdentifier(call.getOperator().getName(), position),
        SqlLiteral.createExactNumeric("1", position),
        call.operand(0));
  }

  private static String condition(
      CreateIndex create, TableDefinition table, SqlFrontEnd frontEnd, CatalogState state) {
    if (create.condition() == null) {
      return null;
    }
    String text = StoredText.of(create.condition());
    SqlParserPos position = create.condition().getParserPosition();
    if (type(text, table, frontEnd, state, position).kind() != Kind.BOOLEAN) {
      throw SqlErrors.at(
          ErrorCode.TYPE_MISMATCH, "WHERE " + text + " of an index is not a condition", position);
    }
    return text;
  }

  private static ColumnType type(
      String text,
      TableDefinition table,
      SqlFrontEnd frontEnd,
      CatalogState state,
      SqlParserPos position) {
    for (GeneratedDefinition each : table.generated()) {
      String name = table.columns().get(each.column()).name();
      if (!table.columns().get(each.column()).hidden() && ColumnUses.names(text, name)) {
        throw SqlErrors.at(
            ErrorCode.UNSUPPORTED,
            "an index on an expression, or a partial one, cannot use generated column "
                + name
                + "; use the columns it is computed from",
            position);
      }
    }
    return frontEnd.repeatableType(text, table, state);
  }

  private static int ordinal(TableDefinition table, SqlIdentifier column) {
    for (int i = 0; i < table.visibleColumns(); i++) {
      if (column.isSimple() && table.columns().get(i).name().equals(column.getSimple())) {
        return i;
      }
    }
    throw ObjectNames.noColumn(column, table.name());
  }

  private static int hidden(TableDefinition table, String expression) {
    for (GeneratedDefinition each : table.generated()) {
      if (table.columns().get(each.column()).hidden() && each.text().equals(expression)) {
        return each.column();
      }
    }
    return -1;
  }

  /** Removes the hidden columns that no index uses any more. */
  static ColumnMapping withoutUnused(TableDefinition table) {
    ColumnMapping mapping = ColumnMapping.same(table);
    for (int i = table.columns().size() - 1; i >= table.visibleColumns(); i--) {
      int at = i;
      boolean used =
          i == table.hiddenColumn()
              || table.indexes().stream()
                  .flatMapToInt(index -> Arrays.stream(index.schema().columns()))
                  .anyMatch(column -> column == at);
      if (!used) {
        mapping = ColumnMapping.withoutColumn(mapping.definition(), i).after(mapping);
      }
    }
    return mapping;
  }
}
