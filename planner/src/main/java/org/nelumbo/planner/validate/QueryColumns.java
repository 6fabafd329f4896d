package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/**
 * Determines the columns of FROM items as far as possible before validation: columns of tables and
 * views, of queries that name their columns, and of items with column aliases.
 */
final class QueryColumns {
  private final CalciteCatalogReader reader;
  private final Map<String, Set<String>> queries = new HashMap<>();
  private final IdentityHashMap<SqlNode, Map<String, Set<String>>> known = new IdentityHashMap<>();

  QueryColumns(CalciteCatalogReader reader) {
    this.reader = reader;
  }

  /** Records a query of WITH, whose name may hide a table. */
  void note(SqlWithItem item) {
    Set<String> columns = item.columnList == null ? ofQuery(item.query) : names(item.columnList, 0);
    queries.put(item.name.getSimple(), columns);
  }

  /**
   * Returns the columns of each table in FROM by alias; the value is null if the columns are
   * unknown.
   */
  Map<String, Set<String>> of(SqlNode from) {
    if (from == null) {
      return Map.of();
    }
    Map<String, Set<String>> tables = known.get(from);
    if (tables == null) {
      tables = new LinkedHashMap<>();
      add(from, tables);
      known.put(from, tables);
    }
    return tables;
  }

  private void add(SqlNode from, Map<String, Set<String>> tables) {
    switch (from) {
      case SqlJoin join -> {
        add(join.getLeft(), tables);
        add(join.getRight(), tables);
      }
      case SqlIdentifier table -> tables.put(table.names.getLast(), columns(table));
      case SqlCall call when call.getKind() == SqlKind.AS -> {
        List<SqlNode> operands = call.getOperandList();
        Set<String> columns = operands.size() > 2 ? names(operands, 2) : columns(operands.get(0));
        tables.put(((SqlIdentifier) operands.get(1)).getSimple(), columns);
      }
      case SqlCall call
          when call.getKind() == SqlKind.LATERAL || call.getKind() == SqlKind.TABLE_REF ->
          add(call.operand(0), tables);
      default -> tables.put("", null);
    }
  }

  private Set<String> columns(SqlNode from) {
    return switch (from) {
      case SqlIdentifier name when name.isSimple() && queries.containsKey(name.getSimple()) ->
          queries.get(name.getSimple());
      case SqlIdentifier name -> {
        PreparingTable table = reader.getTable(name.names);
        yield table == null ? null : Set.copyOf(table.getRowType().getFieldNames());
      }
      case SqlCall call
          when call.getKind() == SqlKind.LATERAL || call.getKind() == SqlKind.TABLE_REF ->
          columns(call.operand(0));
      default -> ofQuery(from);
    };
  }

  private Set<String> ofQuery(SqlNode query) {
    return switch (query) {
      case SqlSelect select -> ofSelect(select);
      case SqlOrderBy ordered -> ofQuery(ordered.query);
      case SqlWith with -> ofQuery(with.body);
      case SqlCall call when call.isA(SqlKind.SET_QUERY) -> ofQuery(call.operand(0));
      default -> null;
    };
  }

  private Set<String> ofSelect(SqlSelect select) {
    Set<String> columns = new LinkedHashSet<>();
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        for (Map.Entry<String, Set<String>> table : of(select.getFrom()).entrySet()) {
          boolean meant =
              name.names.size() == 1
                  || table.getKey().equals(name.names.get(name.names.size() - 2));
          if (meant && table.getValue() == null) {
            return null;
          }
          columns.addAll(meant ? table.getValue() : Set.of());
        }
      } else if (item instanceof SqlIdentifier name) {
        columns.add(name.names.getLast());
      } else if (item.getKind() == SqlKind.AS) {
        columns.add(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple());
      }
    }
    return columns;
  }

  private static Set<String> names(List<SqlNode> names, int from) {
    Set<String> columns = new LinkedHashSet<>();
    for (SqlNode name : names.subList(from, names.size())) {
      columns.add(((SqlIdentifier) name).getSimple());
    }
    return columns;
  }

  private static Set<String> names(SqlNodeList names, int from) {
    return names(new ArrayList<>(names), from);
  }
}
