package org.nelumbo.planner.validate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.type.SqlTypes;

/**
 * Infers the types of parameter markers that are columns of queries. As in PostgreSQL, the type is
 * that of the column in the other queries of UNION, INTERSECT and EXCEPT, or that of the value with
 * which the query is compared. Types are inferred before any of the queries is validated.
 */
final class SetOperationTypes {
  private static final Pattern MISMATCH = Pattern.compile("Type mismatch in column (\\d+) of .*");

  private final NelumboValidator validator;
  private final MarkerTypes inference;
  private final ParameterTypes parameters;

  private final Set<SqlNode> done = Collections.newSetFromMap(new IdentityHashMap<>());

  SetOperationTypes(NelumboValidator validator, MarkerTypes inference, ParameterTypes parameters) {
    this.validator = validator;
    this.inference = inference;
    this.parameters = parameters;
  }

  /** Infers and records the types of all markers that are columns. */
  void infer(SqlCall setOperation) {
    if (done.contains(setOperation)) {
      return;
    }
    List<SqlNode> queries = new ArrayList<>();
    collect(setOperation, queries);
    int columns = 0;
    for (SqlNode query : queries) {
      columns = Math.max(columns, width(query));
    }
    for (int i = 0; i < columns; i++) {
      infer(queries, i);
    }
  }

  /** Returns an error that names the incompatible types of a column. */
  RuntimeException explained(SqlCall setOperation, CalciteContextException error) {
    Matcher mismatch =
        MISMATCH.matcher(error.getCause() == null ? "" : error.getCause().getMessage());
    if (!mismatch.matches()) {
      return error;
    }
    int column = Integer.parseInt(mismatch.group(1));
    List<String> types = new ArrayList<>();
    for (SqlNode query : setOperation.getOperandList()) {
      RelDataType row = validator.getValidatedNodeType(query);
      types.add(SqlTypes.toColumnType(row.getFieldList().get(column - 1).getType()).sqlName());
    }
    return SqlErrors.at(
        ErrorCode.TYPE_MISMATCH,
        "column "
            + column
            + " of "
            + setOperation.getOperator().getName()
            + " is "
            + types.getLast()
            + " in this query and "
            + types.getFirst()
            + " in the one before it; write CAST(... AS "
            + types.getFirst()
            + "), or CAST(? AS "
            + types.getFirst()
            + ") of a parameter",
        items(setOperation.operand(1), column - 1).stream()
            .findFirst()
            .map(SqlNode::getParserPosition)
            .orElse(setOperation.operand(1).getParserPosition()));
  }

  /**
   * Records the types of all markers that are columns of a query that is compared with a value.
   *
   * @param compared the type of the value, or of the row
   */
  void infer(SqlNode query, RelDataType compared, SqlKind comparison) {
    List<SqlNode> queries = new ArrayList<>();
    collect(query, queries);
    int columns = compared.isStruct() ? compared.getFieldCount() : 1;
    for (int i = 0; i < columns; i++) {
      RelDataType type = compared.isStruct() ? compared.getFieldList().get(i).getType() : compared;
      if (MarkerTypes.isKnown(type)) {
        record(markers(queries, i), type, comparison, false);
      }
    }
  }

  /** There may be thousands of nested queries, so this is iterative. */
  private void collect(SqlNode query, List<SqlNode> queries) {
    Deque<SqlNode> todo = new ArrayDeque<>();
    todo.push(query);
    while (!todo.isEmpty()) {
      switch (todo.pop()) {
        case SqlOrderBy ordered -> todo.push(ordered.query);
        case SqlWith with -> todo.push(with.body);
        case SqlCall call when SqlKind.SET_QUERY.contains(call.getKind()) -> {
          done.add(call);
          call.getOperandList().reversed().forEach(todo::push);
        }
        case SqlNode other -> queries.add(other);
      }
    }
  }

  private static int width(SqlNode query) {
    return switch (query) {
      case SqlSelect select -> select.getSelectList().size();
      case SqlCall values when values.getKind() == SqlKind.VALUES && values.operandCount() > 0 ->
          ((SqlCall) values.operand(0)).operandCount();
      default -> 0;
    };
  }

  private void infer(List<SqlNode> queries, int column) {
    List<SqlDynamicParam> markers = markers(queries, column);
    if (markers.isEmpty()) {
      return;
    }
    List<RelDataType> types = new ArrayList<>();
    boolean written = false;
    for (SqlNode query : queries) {
      for (SqlNode item : items(query, column)) {
        RelDataType type = type(query, item);
        if (type != null && MarkerTypes.isKnown(type)) {
          types.add(type);
          written |= !(item instanceof SqlDynamicParam);
        }
      }
    }
    RelDataType common = inference.common(types);
    if (common != null) {
      record(markers, common, SqlKind.UNION, !written);
    }
  }

  private void record(
      List<SqlDynamicParam> markers, RelDataType type, SqlKind context, boolean open) {
    RelDataType widened = ParameterTypes.widen(validator.getTypeFactory(), type, context);
    for (SqlDynamicParam marker : markers) {
      parameters.record(marker.getIndex(), widened, false, open);
    }
  }

  private List<SqlDynamicParam> markers(List<SqlNode> queries, int column) {
    List<SqlDynamicParam> markers = new ArrayList<>();
    for (SqlNode query : queries) {
      for (SqlNode item : items(query, column)) {
        if (item instanceof SqlDynamicParam marker
            && !(item instanceof ParameterizedLiteral)
            && !parameters.isRecorded(marker.getIndex())
            && parameters.given().get(marker.getIndex()) == null) {
          markers.add(marker);
        }
      }
    }
    return markers;
  }

  /** Empty if the query's columns are not written individually. */
  private static List<SqlNode> items(SqlNode query, int column) {
    if (query instanceof SqlSelect select) {
      SqlNodeList list = select.getSelectList();
      boolean plain = column < list.size() && list.stream().noneMatch(SetOperationTypes::isStar);
      return plain ? List.of(withoutName(list.get(column))) : List.of();
    }
    return query.getKind() == SqlKind.VALUES
            && query instanceof SqlCall values
            && MarkerTypes.hasColumn(values, column)
        ? MarkerTypes.column(values, column)
        : List.of();
  }

  private static boolean isStar(SqlNode item) {
    return item instanceof SqlIdentifier name && name.isStar();
  }

  private static SqlNode withoutName(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  /** Returns null if the type depends on a marker. */
  private RelDataType type(SqlNode query, SqlNode item) {
    if (item instanceof SqlDynamicParam marker && !(item instanceof ParameterizedLiteral)) {
      return parameters.given(validator.getTypeFactory(), marker.getIndex());
    } else if (inference.hasMarkers(item)) {
      return null;
    }
    SqlValidatorScope scope =
        query instanceof SqlSelect select
            ? validator.getSelectScope(select)
            : validator.getEmptyScope();
    return validator.deriveType(scope, item);
  }
}
