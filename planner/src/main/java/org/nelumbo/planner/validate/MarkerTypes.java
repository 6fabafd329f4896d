package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.type.CompositeOperandTypeChecker;
import org.apache.calcite.sql.type.ImplicitCastOperandTypeChecker;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.nelumbo.parser.ast.IntervalTypeName;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.type.NelumboTypeSystem;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Infers the types of parameter markers where Calcite does not: from the other operands, from the
 * signature of the function, and from the use of the result. A marker whose type cannot be inferred
 * is a string until a value is supplied, whose type then counts.
 */
final class MarkerTypes {
  /** Families that no value has. */
  private static final Set<SqlTypeFamily> INTERVALS =
      Set.of(
          SqlTypeFamily.DATETIME_INTERVAL,
          SqlTypeFamily.INTERVAL_DAY_TIME,
          SqlTypeFamily.INTERVAL_YEAR_MONTH);

  private final SqlValidator validator;
  private final RelDataTypeFactory factory;

  /** For each visited node, true if it contains a marker outside of nested queries. */
  private final IdentityHashMap<SqlNode, Boolean> markers = new IdentityHashMap<>();

  /**
   * An inferred type of a marker.
   *
   * @param open whether the type of a supplied value takes precedence
   */
  record Guess(RelDataType type, boolean open) {}

  MarkerTypes(SqlValidator validator) {
    this.validator = validator;
    this.factory = validator.getTypeFactory();
  }

  boolean hasMarkers(SqlNode node) {
    if (node instanceof SqlDynamicParam) {
      return !(node instanceof ParameterizedLiteral);
    } else if (!(node instanceof SqlCall) && !(node instanceof SqlNodeList)
        || node.isA(SqlKind.QUERY)) {
      return false;
    }
    Boolean known = markers.get(node);
    if (known == null) {
      known = operands(node).stream().anyMatch(this::hasMarkers);
      markers.put(node, known);
    }
    return known;
  }

  /**
   * Returns the operands of a call or list, with nested lists flattened and omitted operands left
   * out.
   */
  static List<SqlNode> operands(SqlNode node) {
    List<SqlNode> flat = new ArrayList<>();
    for (SqlNode operand :
        node instanceof SqlCall call ? call.getOperandList() : ((SqlNodeList) node).getList()) {
      if (operand instanceof SqlNodeList list) {
        flat.addAll(operands(list));
      } else if (operand != null) {
        flat.add(operand);
      }
    }
    return flat;
  }

  /**
   * Returns the expected type of an operand that is itself a call, from which the type of its
   * marker may follow.
   */
  RelDataType wanted(SqlValidatorScope scope, SqlCall call, RelDataType wanted) {
    return switch (call.getKind()) {
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> {
        List<SqlNode> others =
            call.getOperandList().stream().filter(each -> !hasMarkers(each)).toList();
        RelDataType sibling = sibling(scope, others);
        yield sibling != null && SqlTypeUtil.isNumeric(sibling) ? sibling : wanted;
      }
      case AS, COALESCE, NVL, GREATEST, LEAST, NULLIF, MINUS_PREFIX, PLUS_PREFIX, ROW -> wanted;
      default -> factory.createUnknownType();
    };
  }

  /**
   * Returns the type of a marker for which the operator's own rule would infer a wrong one, or
   * null.
   */
  Guess beforeOperator(SqlValidatorScope scope, SqlCall call, SqlNode marker, RelDataType wanted) {
    return switch (call.getKind()) {
      case INTERVAL -> new Guess(factory.createSqlType(SqlTypeName.INTEGER), false);
      case PLUS, MINUS -> temporal(scope, call, marker);
      case TIMES, DIVIDE -> factor(scope, call);
      case MINUS_PREFIX, PLUS_PREFIX -> number(null, wanted);
      case FLOOR, CEIL ->
          call.operandCount() == 2 && call.operand(1) instanceof SqlIntervalQualifier
              ? new Guess(factory.createSqlType(SqlTypeName.TIMESTAMP, 6), true)
              : null;
      case IN, NOT_IN, SOME, ALL -> inList(scope, call);
      case CAST -> isCastToInterval(call) ? orText(null) : null;
      default -> null;
    };
  }

  /**
   * Returns true for a cast to an interval, whose fields count if a number, or the text of one, is
   * given.
   */
  private static boolean isCastToInterval(SqlCall cast) {
    return cast.operand(1) instanceof SqlDataTypeSpec type
        && type.getTypeNameSpec() instanceof IntervalTypeName;
  }

  private Guess temporal(SqlValidatorScope scope, SqlCall call, SqlNode marker) {
    if (call.operandCount() != 2) {
      return null;
    }
    boolean first = call.operand(0) == marker;
    boolean subtracted = call.getKind() == SqlKind.MINUS && !first;
    RelDataType other = known(scope, call.operand(first ? 1 : 0));
    if (other == null) {
      return null;
    } else if (SqlTypeUtil.isInterval(other)) {
      RelDataType timestamp = factory.createSqlType(SqlTypeName.TIMESTAMP, 6);
      return new Guess(subtracted ? other : timestamp, true);
    } else if (other.getSqlTypeName() == SqlTypeName.DATE) {
      boolean reduced = call.getKind() == SqlKind.MINUS && first;
      return new Guess(reduced ? other : factory.createSqlType(SqlTypeName.INTEGER), true);
    }
    if (SqlTypeUtil.isDatetime(other) && call.getKind() == SqlKind.PLUS) {
      ColumnType interval = ColumnType.of(Kind.INTERVAL_MICROS);
      return new Guess(SqlTypes.toRelType(factory, interval), true);
    }
    return SqlTypeUtil.isDatetime(other) ? new Guess(other, true) : null;
  }

  /** Infers a number as a factor or divisor of an interval; Calcite would infer an interval. */
  private Guess factor(SqlValidatorScope scope, SqlCall call) {
    RelDataType sibling = sibling(scope, call.getOperandList());
    return sibling != null && SqlTypeUtil.isInterval(sibling)
        ? new Guess(factory.createSqlType(SqlTypeName.INTEGER), true)
        : null;
  }

  /** Returns the row type of the query with which a row is compared, or null if there is none. */
  RelDataType comparedRow(SqlValidatorScope scope, SqlCall call) {
    boolean isComparison =
        switch (call.getKind()) {
          case IN, NOT_IN, SOME, ALL -> true;
          default -> false;
        };
    return isComparison
            && call.operand(0).getKind() == SqlKind.ROW
            && call.operand(1).isA(SqlKind.QUERY)
        ? rowType(scope, call.operand(1))
        : null;
  }

  /** Returns the type of a marker in a frame bound of a window, or null if the bound has none. */
  Guess bound(SqlValidatorScope scope, SqlWindow window, SqlNode bound) {
    if (!(bound instanceof SqlCall call) || !(call.operand(0) instanceof SqlDynamicParam)) {
      return null;
    }
    SqlNode key = window.getOrderList().isEmpty() ? null : window.getOrderList().get(0);
    while (key instanceof SqlCall order
        && (key.getKind() == SqlKind.DESCENDING
            || key.getKind() == SqlKind.NULLS_FIRST
            || key.getKind() == SqlKind.NULLS_LAST)) {
      key = order.operand(0);
    }
    RelDataType type = window.isRows() || key == null ? null : known(scope, key);
    if (type == null) {
      return new Guess(factory.createSqlType(SqlTypeName.INTEGER), false);
    }
    ColumnType interval = ColumnType.of(Kind.INTERVAL_MICROS);
    return new Guess(
        SqlTypeUtil.isDatetime(type) ? SqlTypes.toRelType(factory, interval) : type, true);
  }

  private RelDataType rowType(SqlValidatorScope scope, SqlNode query) {
    RelDataType type = validator.deriveType(scope, query);
    return type.isStruct() ? type : null;
  }

  private Guess inList(SqlValidatorScope scope, SqlCall call) {
    if (call.operand(1).isA(SqlKind.QUERY)) {
      RelDataType row = rowType(scope, call.operand(1));
      RelDataType column =
          row == null || row.getFieldCount() != 1 ? null : row.getFieldList().getFirst().getType();
      return orText(column != null && isKnown(column) ? column : null);
    }
    if (!(call.operand(1) instanceof SqlNodeList list)
        || call.operand(0).getKind() == SqlKind.ROW) {
      return null;
    }
    List<SqlNode> all = new ArrayList<>(list.getList());
    all.addFirst(call.operand(0));
    return orText(sibling(scope, all));
  }

  /** Infers the type of markers that are results of a CASE. */
  Guess ofCase(SqlValidatorScope scope, SqlCase call, RelDataType wanted) {
    List<SqlNode> results = new ArrayList<>(call.getThenOperands().getList());
    results.add(call.getElseOperand());
    RelDataType known = common(scope, results);
    return orText(known != null ? known : isKnown(wanted) ? wanted : null);
  }

  /** Returns true if all rows of VALUES have a column, counted from 0. */
  static boolean hasColumn(SqlCall values, int column) {
    return values.getOperandList().stream()
        .allMatch(row -> row instanceof SqlCall call && call.operandCount() > column);
  }

  /** Returns a column of VALUES, counted from 0. */
  static List<SqlNode> column(SqlCall values, int column) {
    List<SqlNode> list = new ArrayList<>();
    for (SqlNode row : values.getOperandList()) {
      list.add(((SqlCall) row).operand(column));
    }
    return list;
  }

  /**
   * Infers the type of the markers in a column of VALUES; the type of a supplied value takes
   * precedence.
   */
  Guess ofColumn(SqlValidatorScope scope, List<SqlNode> column) {
    RelDataType known = common(scope, column);
    return new Guess(known == null ? text() : known, true);
  }

  /** Infers the type of an operand for which the operator's own rule gave none. */
  Guess otherwise(SqlValidatorScope scope, SqlCall call, SqlNode marker, RelDataType wanted) {
    if (call == null) {
      return orText(isKnown(wanted) ? wanted : null);
    }
    List<SqlNode> operands = call.getOperandList();
    return switch (call.getKind()) {
      case PLUS, MINUS, TIMES, DIVIDE, MOD -> number(sibling(scope, operands), wanted);
      case GREATEST, LEAST, COALESCE, NVL, NULLIF -> {
        RelDataType known = common(scope, operands);
        yield orText(known != null ? known : isKnown(wanted) ? wanted : null);
      }
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM,
          BETWEEN ->
          orText(sibling(scope, operands));
      default -> ofFamily(family(call, operands.indexOf(marker)));
    };
  }

  private Guess number(RelDataType sibling, RelDataType wanted) {
    if (sibling != null) {
      return new Guess(sibling, false);
    }
    boolean usable = isKnown(wanted) && SqlTypeUtil.isNumeric(wanted);
    return new Guess(usable ? wanted : factory.createSqlType(SqlTypeName.INTEGER), true);
  }

  private Guess orText(RelDataType typeOrNull) {
    return typeOrNull == null ? new Guess(text(), true) : new Guess(typeOrNull, false);
  }

  private RelDataType text() {
    return factory.createSqlType(SqlTypeName.VARCHAR, NelumboTypeSystem.MAX_STRING_LENGTH);
  }

  private static SqlTypeFamily family(SqlCall call, int operand) {
    if (call.getOperator().getName().startsWith("SUBSTR")) {
      return operand == 0 ? SqlTypeFamily.STRING : SqlTypeFamily.INTEGER;
    }
    if (operand == 0 && call.getOperator().getName().equalsIgnoreCase("TO_CHAR")) {
      return SqlTypeFamily.DATETIME;
    }
    return family(call.getOperator().getOperandTypeChecker(), operand);
  }

  private static SqlTypeFamily family(SqlOperandTypeChecker checker, int operand) {
    if (checker instanceof CompositeOperandTypeChecker composite) {
      for (SqlOperandTypeChecker rule : composite.getRules()) {
        SqlTypeFamily family = family(rule, operand);
        if (family != SqlTypeFamily.ANY && !INTERVALS.contains(family)) {
          return family;
        }
      }
    } else if (checker instanceof ImplicitCastOperandTypeChecker families
        && checker.getOperandCountRange().getMax() > operand) {
      return families.getOperandSqlTypeFamily(operand);
    }
    return SqlTypeFamily.ANY;
  }

  private Guess ofFamily(SqlTypeFamily family) {
    return switch (family) {
      case CHARACTER, STRING -> new Guess(text(), false);
      case INTEGER -> new Guess(factory.createSqlType(SqlTypeName.INTEGER), false);
      case NUMERIC, EXACT_NUMERIC, DECIMAL, APPROXIMATE_NUMERIC ->
          new Guess(factory.createSqlType(SqlTypeName.DOUBLE), true);
      case DATETIME, TIMESTAMP -> new Guess(factory.createSqlType(SqlTypeName.TIMESTAMP, 6), true);
      case DATE -> new Guess(factory.createSqlType(SqlTypeName.DATE), true);
      case TIME -> new Guess(factory.createSqlType(SqlTypeName.TIME, 6), true);
      case BOOLEAN -> new Guess(factory.createSqlType(SqlTypeName.BOOLEAN), false);
      case BINARY ->
          new Guess(
              factory.createSqlType(SqlTypeName.VARBINARY, NelumboTypeSystem.MAX_STRING_LENGTH),
              false);
      default -> new Guess(text(), true);
    };
  }

  private RelDataType sibling(SqlValidatorScope scope, List<SqlNode> operands) {
    for (SqlNode operand : operands) {
      RelDataType type = known(scope, operand);
      if (type != null) {
        return type;
      }
    }
    return null;
  }

  private RelDataType common(SqlValidatorScope scope, List<SqlNode> operands) {
    List<RelDataType> types = new ArrayList<>();
    for (SqlNode operand : operands) {
      RelDataType type = known(scope, operand);
      if (type != null) {
        types.add(type);
      }
    }
    return common(types);
  }

  /** Returns the common type of some types, or null if there are none. */
  RelDataType common(List<RelDataType> types) {
    if (types.isEmpty()) {
      return null;
    }
    RelDataType common = factory.leastRestrictive(types);
    return common == null ? types.getFirst() : common;
  }

  private RelDataType known(SqlValidatorScope scope, SqlNode operand) {
    if (operand == null
        || SqlUtil.isNullLiteral(operand, false)
        || operand instanceof SqlNodeList) {
      return null;
    }
    RelDataType type = validator.deriveType(scope, operand);
    return isKnown(type) ? type : null;
  }

  static boolean isKnown(RelDataType type) {
    return !type.isStruct()
        && type.getSqlTypeName() != SqlTypeName.UNKNOWN
        && type.getSqlTypeName() != SqlTypeName.NULL
        && type.getSqlTypeName() != SqlTypeName.ANY;
  }
}
