package org.nelumbo.planner.plain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.NlsString;
import org.nelumbo.planner.function.CoalesceFunction;
import org.nelumbo.planner.literal.ParameterizedLiteral;

/**
 * Expressions of a {@link PlainQuery}: columns, literals, arithmetic, comparisons, conditions, CASE
 * and casts of numbers. The result is the same as that of Calcite's validator and converter. Null
 * means that an expression is not supported here and has to be left to Calcite; this includes all
 * errors.
 */
final class PlainExpressions {
  private static final int MOST_DIGITS = 18;

  private final PlainTables tables;
  private final RexBuilder rex;
  private final RelDataTypeFactory types;

  private final PlainParameters parameters;

  /**
   * Meaning of columns and aggregate functions in a query with groups; null if columns are read
   * directly.
   */
  private PlainAggregates grouped;

  PlainExpressions(PlainTables tables, RexBuilder rex, PlainParameters parameters) {
    this.tables = tables;
    this.rex = rex;
    this.types = rex.getTypeFactory();
    this.parameters = parameters;
  }

  void setGrouped(PlainAggregates aggregates) {
    grouped = aggregates;
  }

  /** Converts a condition of WHERE or HAVING; returns null if it is not supported. */
  RexNode condition(SqlNode node) {
    RexNode condition = convert(withoutNotIn(node));
    return isBoolean(condition) ? condition : null;
  }

  /**
   * Converts WHERE; TRUE if there is none.
   *
   * @return null if it is not supported, or if a conjunct is the same for all rows
   */
  RexNode where(SqlNode node) {
    RexNode condition = anyWhere(node);
    if (condition != null) {
      for (RexNode each : RelOptUtil.conjunctions(condition)) {
        if (each.isAlwaysFalse() || RexUtil.isConstant(each)) {
          return null;
        }
      }
    }
    return condition;
  }

  /** Converts WHERE; TRUE if there is none, null if it is not supported. */
  RexNode anyWhere(SqlNode node) {
    return node == null ? rex.makeLiteral(true) : simplified(condition(node));
  }

  /** Converts ON; returns null if it is not supported. */
  RexNode on(SqlNode node) {
    RexNode condition = convert(node); // Calcite does not push a NOT down here
    return isBoolean(condition) ? simplified(condition) : null;
  }

  private RexNode simplified(RexNode condition) {
    if (condition == null) {
      return null;
    }
    List<RexNode> conjuncts = new ArrayList<>();
    for (RexNode each : RelOptUtil.conjunctions(condition)) {
      conjuncts.add(RexSimplify.simplifyComparisonWithNull(each, rex));
    }
    return RexUtil.composeConjunction(rex, conjuncts);
  }

  /** Converts any expression; returns null if it is not supported. */
  RexNode convert(SqlNode node) {
    return switch (node) {
      case null -> null;
      case ParameterizedLiteral literal -> parameters.literal(rex, literal);
      case SqlDynamicParam _ -> null;
      case SqlLiteral literal -> literal(rex, literal);
      case SqlIdentifier name -> column(name);
      case SqlCall call -> call(call);
      default -> null;
    };
  }

  private RexNode column(SqlIdentifier name) {
    int column = tables.column(name);
    if (column < 0) {
      return null;
    }
    return grouped == null
        ? rex.makeInputRef(tables.field(column).getType(), column)
        : grouped.column(column);
  }

  /** Converts a literal; returns null if it is not supported, or NULL. */
  static RexNode literal(RexBuilder rex, SqlLiteral literal) {
    if (literal.getValue() == null) {
      return null;
    }
    return switch (literal.getTypeName()) {
      case DECIMAL -> {
        BigDecimal number = literal.bigDecimalValue();
        yield Math.max(number.precision(), number.scale()) > MOST_DIGITS || number.scale() < 0
            ? null
            : rex.makeExactLiteral(number, literal.createSqlType(rex.getTypeFactory()));
      }
      case CHAR -> rex.makeCharLiteral(literal.getValueAs(NlsString.class));
      case BOOLEAN -> rex.makeLiteral(literal.getValueAs(Boolean.class));
      default -> null;
    };
  }

  private RexNode call(SqlCall call) {
    SqlOperator operator = call.getOperator();
    return switch (call.getKind()) {
      case PLUS -> arithmetic(SqlStdOperatorTable.PLUS, call);
      case MINUS -> arithmetic(SqlStdOperatorTable.MINUS, call);
      case TIMES -> arithmetic(SqlStdOperatorTable.MULTIPLY, call);
      case DIVIDE -> arithmetic(SqlStdOperatorTable.DIVIDE, call);
      case PLUS_PREFIX -> number(call.operand(0));
      case MINUS_PREFIX -> {
        RexNode operand = number(call.operand(0));
        yield operand == null ? null : rex.makeCall(SqlStdOperatorTable.UNARY_MINUS, operand);
      }
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          operator.equals(RelOptUtil.op(call.getKind(), null))
              ? comparison(operator, call.operand(0), call.operand(1))
              : null;
      case AND, OR -> connection(call);
      case NOT -> {
        RexNode operand = truth(call.operand(0));
        yield operand == null ? null : rex.makeCall(SqlStdOperatorTable.NOT, operand);
      }
      case IS_NULL -> test(SqlStdOperatorTable.IS_NULL, call.operand(0));
      case IS_NOT_NULL -> test(SqlStdOperatorTable.IS_NOT_NULL, call.operand(0));
      case BETWEEN -> between(call);
      case IN -> in(call, false);
      case NOT_IN -> in(call, true);
      case CASE -> call instanceof SqlCase choice ? choice(choice) : null;
      case NULLIF -> nullIf(call);
      case COALESCE -> coalesce(call);
      case CAST -> operator.equals(SqlStdOperatorTable.CAST) ? cast(call) : null;
      case COUNT, SUM, MIN, MAX, AVG -> grouped == null ? null : grouped.call(call);
      case OTHER_FUNCTION -> function(call);
      default -> null;
    };
  }

  private RexNode function(SqlCall call) {
    if (PlainAggregates.isAggregate(call)) {
      return grouped == null ? null : grouped.call(call);
    }
    return switch (call.getOperator().getName()) {
      case "COALESCE" -> coalesce(call);
      case "NULLIF" -> nullIf(call);
      default -> null;
    };
  }

  private static boolean isNull(SqlNode node) {
    return SqlUtil.isNullLiteral(node, false);
  }

  private static boolean isBoolean(RexNode node) {
    return node != null && node.getType().getSqlTypeName() == SqlTypeName.BOOLEAN;
  }

  private static boolean isNumber(RexNode node) {
    return node != null && isNumber(node.getType());
  }

  private static boolean isNumber(RelDataType type) {
    return SqlTypeUtil.isNumeric(type);
  }

  private RexNode number(SqlNode node) {
    RexNode converted = convert(node);
    return isNumber(converted) ? converted : null;
  }

  private RexNode truth(SqlNode node) {
    if (isNull(node)) {
      return rex.makeNullLiteral(nullable(types.createSqlType(SqlTypeName.BOOLEAN)));
    }
    RexNode converted = convert(node);
    return isBoolean(converted) ? converted : null;
  }

  private RelDataType nullable(RelDataType type) {
    return types.createTypeWithNullability(type, true);
  }

  /**
   * Converts all operands. A NULL has the type of the first operand that has one.
   *
   * @return null if an operand is not supported
   */
  private List<RexNode> operands(List<SqlNode> nodes) {
    List<RexNode> converted = new ArrayList<>(nodes.size());
    RelDataType first = null;
    for (SqlNode node : nodes) {
      RexNode each = isNull(node) ? nothing() : convert(node);
      if (each == null) {
        return null;
      }
      first = first == null && !isNullType(each) ? each.getType() : first;
      converted.add(each);
    }
    if (first != null) {
      RexNode nothing = rex.makeNullLiteral(nullable(first));
      converted.replaceAll(each -> isNullType(each) ? nothing : each);
    }
    return converted;
  }

  private static boolean isNullType(RexNode node) {
    return node.getType().getSqlTypeName() == SqlTypeName.NULL;
  }

  private RexNode arithmetic(SqlOperator operator, SqlCall call) {
    if (!call.getOperator().equals(operator)) {
      return null;
    }
    RexNode left = number(call.operand(0));
    RexNode right = left == null ? null : number(call.operand(1));
    return right == null ? null : made(operator, List.of(left, right));
  }

  private RexNode made(SqlOperator operator, List<RexNode> operands) {
    RelDataType type = rex.deriveReturnType(operator, operands);
    return rex.makeCall(type, operator, RexUtil.flatten(operands, operator));
  }

  private RexNode connection(SqlCall call) {
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode node : call.getOperandList()) {
      RexNode operand = truth(node);
      if (operand == null) {
        return null;
      }
      operands.add(operand);
    }
    return made(call.getOperator(), operands);
  }

  private RexNode test(SqlOperator operator, SqlNode node) {
    RexNode operand =
        isNull(node)
            ? rex.makeNullLiteral(nullable(types.createSqlType(SqlTypeName.VARCHAR, 1024)))
            : convert(node);
    return operand == null ? null : rex.makeCall(operator, operand);
  }

  private RexNode comparison(SqlOperator operator, SqlNode left, SqlNode right) {
    if (PlainParameters.isMarker(left) || PlainParameters.isMarker(right)) {
      return comparedWithMarker(operator, left, right);
    }
    List<RexNode> operands = operands(List.of(left, right));
    if (operands == null) {
      return null;
    } else if (areNumbers(operands)) {
      RelDataType common = common(operands.get(0).getType(), operands.get(1).getType());
      return rex.makeCall(operator, casted(operands, common));
    }
    return textComparison(operator, operands);
  }

  /** The type of a marker follows from the other side. */
  private RexNode comparedWithMarker(SqlOperator operator, SqlNode left, SqlNode right) {
    boolean isLeft = PlainParameters.isMarker(left);
    SqlNode side = isLeft ? right : left;
    RexNode value = isNull(side) || PlainParameters.isMarker(side) ? null : convert(side);
    RexNode marker =
        value == null
            ? null
            : parameters.compared(rex, isLeft ? left : right, value.getType(), operator.getKind());
    if (marker == null) {
      return null;
    }
    RelDataType common =
        isNumber(value) ? common(value.getType(), marker.getType()) : marker.getType();
    List<RexNode> operands = isLeft ? List.of(marker, value) : List.of(value, marker);
    return rex.makeCall(operator, casted(operands, common));
  }

  /** Compares a string column with a literal. */
  private RexNode textComparison(SqlOperator operator, List<RexNode> operands) {
    RexNode column = operands.get(0);
    RexNode literal = operands.get(1);
    if (!(column instanceof RexInputRef) || !SqlTypeUtil.inCharFamily(column.getType())) {
      return null;
    }
    RelDataType type = literal.getType();
    if (literal instanceof RexDynamicParam && SqlTypeUtil.inCharFamily(type)) {
      return rex.makeCall(
          operator, casted(column, type), rex.makeAbstractCast(type, literal, false));
    }
    boolean isSupported =
        literal instanceof RexLiteral
            && type.getSqlTypeName() == SqlTypeName.CHAR
            && column.getType().getSqlTypeName() == SqlTypeName.VARCHAR;
    return isSupported
        ? rex.makeCall(
            operator, casted(operands, types.leastRestrictive(List.of(column.getType(), type))))
        : null;
  }

  private static boolean areNumbers(List<RexNode> operands) {
    return operands.stream().allMatch(each -> isNumber(each) || isNullType(each));
  }

  /**
   * Returns the type as which Calcite compares two values, or null if they are compared unchanged.
   */
  private RelDataType common(RelDataType left, RelDataType right) {
    if (left.equals(right)
        || left.getSqlTypeName() == SqlTypeName.NULL
        || right.getSqlTypeName() == SqlTypeName.NULL) {
      return null;
    } else if (SqlTypeUtil.sameNamedType(left, right)) {
      return types.leastRestrictive(List.of(left, right));
    }
    boolean exactLeft = SqlTypeUtil.isExactNumeric(left);
    boolean exactRight = SqlTypeUtil.isExactNumeric(right);
    if (exactLeft != exactRight) {
      return exactLeft ? right : left;
    } else if (exactLeft && (SqlTypeUtil.isDecimal(left) || SqlTypeUtil.isDecimal(right))) {
      int scale = Math.max(left.getScale(), right.getScale());
      int whole =
          Math.max(left.getPrecision() - left.getScale(), right.getPrecision() - right.getScale());
      return types.createSqlType(SqlTypeName.DECIMAL, whole + scale, scale);
    }
    return left.getPrecision() > right.getPrecision() ? left : right;
  }

  private List<RexNode> casted(List<RexNode> operands, RelDataType common) {
    if (common == null) {
      return operands;
    }
    List<RexNode> casted = new ArrayList<>();
    for (RexNode each : operands) {
      casted.add(isNullType(each) ? each : casted(each, common));
    }
    return casted;
  }

  private RexNode casted(RexNode value, RelDataType common) {
    RelDataType type = types.createTypeWithNullability(common, value.getType().isNullable());
    return value.getType().equals(type) ? value : rex.makeCast(type, value);
  }

  private RexNode between(SqlCall call) {
    SqlBetweenOperator operator = (SqlBetweenOperator) call.getOperator();
    List<RexNode> operands = withMarkers(call.getOperandList(), SqlKind.BETWEEN);
    if (operator.flag != SqlBetweenOperator.Flag.ASYMMETRIC
        || operands == null
        || !areNumbers(operands)) {
      return null;
    }
    RelDataType common = null;
    if (operands.stream().anyMatch(RexLiteral::isNullLiteral)) {
      RelDataType first = operands.getFirst().getType();
      if (operands.stream()
          .anyMatch(each -> !SqlTypeUtil.equalSansNullability(types, first, each.getType()))) {
        return null;
      }
    } else if (!areOfOneName(operands)) {
      common = operands.getFirst().getType();
      for (RexNode each : operands) {
        RelDataType wider = common(common, each.getType());
        common = wider == null ? common : wider;
      }
    }
    List<RexNode> casted = casted(operands, common);
    RexNode both =
        rex.makeCall(
            SqlStdOperatorTable.AND,
            rex.makeCall(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, casted.get(0), casted.get(1)),
            rex.makeCall(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, casted.get(0), casted.get(2)));
    return operator.isNegated() ? rex.makeCall(SqlStdOperatorTable.NOT, both) : both;
  }

  /**
   * Converts all operands, of which the first determines the types of markers among the others.
   *
   * @return null if an operand is not supported
   */
  private List<RexNode> withMarkers(List<SqlNode> nodes, SqlKind kind) {
    if (nodes.stream().noneMatch(PlainParameters::isMarker)) {
      return operands(nodes);
    }
    RexNode first = isNull(nodes.getFirst()) ? null : convert(nodes.getFirst());
    if (first == null || !isNumber(first)) {
      return null;
    }
    List<RexNode> converted = new ArrayList<>(nodes.size());
    converted.add(first);
    for (SqlNode node : nodes.subList(1, nodes.size())) {
      RexNode marker = parameters.compared(rex, node, first.getType(), kind);
      if (marker == null) {
        return null;
      }
      converted.add(marker);
    }
    return converted;
  }

  private static boolean areOfOneName(List<RexNode> operands) {
    SqlTypeName first = operands.getFirst().getType().getSqlTypeName();
    return operands.stream().allMatch(each -> each.getType().getSqlTypeName() == first);
  }

  private RexNode in(SqlCall call, boolean negated) {
    if (!(call.operand(1) instanceof SqlNodeList list) || isNull(call.operand(0))) {
      return null;
    }
    List<SqlNode> nodes = new ArrayList<>();
    nodes.add(call.operand(0));
    nodes.addAll(list);
    boolean hasNull = list.stream().anyMatch(PlainExpressions::isNull);
    List<RexNode> operands = hasNull ? null : withMarkers(nodes, SqlKind.IN);
    if (operands == null) {
      return null;
    }
    RexNode left = operands.getFirst();
    List<RexNode> values = operands.subList(1, operands.size());
    List<RelDataType> valueTypes = values.stream().map(RexNode::getType).toList();
    RelDataType ofList = types.leastRestrictive(valueTypes);
    if (ofList == null || !areNumbers(operands)) {
      return null;
    }
    RelDataType common = common(left.getType(), ofList);
    RelDataType compared = common == null ? left.getType() : common;
    RexNode key = casted(left, compared);
    List<RexNode> comparisons = new ArrayList<>();
    for (RexNode value : values) {
      comparisons.add(rex.makeCall(SqlStdOperatorTable.EQUALS, key, casted(value, compared)));
    }
    RexNode any = RexUtil.composeDisjunction(rex, comparisons);
    return negated ? rex.makeCall(SqlStdOperatorTable.NOT, any) : any;
  }

  private RexNode choice(SqlCase call) {
    List<RexNode> parts = new ArrayList<>();
    for (int i = 0; i < call.getWhenOperands().size(); i++) {
      SqlNode when = call.getWhenOperands().get(i);
      SqlNode value = call.getValueOperand();
      if (when instanceof SqlNodeList) {
        return null;
      }
      RexNode condition =
          value == null ? truth(when) : comparison(SqlStdOperatorTable.EQUALS, value, when);
      parts.add(condition);
      parts.add(result(call.getThenOperands().get(i)));
    }
    parts.add(call.getElseOperand() == null ? nothing() : result(call.getElseOperand()));
    return choice(parts);
  }

  private RexNode result(SqlNode node) {
    return isNull(node) ? nothing() : number(node);
  }

  private RexNode nothing() {
    return rex.makeNullLiteral(types.createSqlType(SqlTypeName.NULL));
  }

  private RexNode choice(List<RexNode> parts) {
    if (parts.contains(null)) {
      return null;
    }
    List<Integer> results = new ArrayList<>();
    for (int i = 1; i < parts.size(); i += 2) {
      results.add(i);
    }
    results.add(parts.size() - 1);
    if (results.stream().allMatch(i -> isNullType(parts.get(i)))) {
      return null;
    }
    RelDataType type = rex.deriveReturnType(SqlStdOperatorTable.CASE, parts);
    results.forEach(i -> parts.set(i, rex.ensureType(type, parts.get(i), false)));
    return rex.makeCall(type, SqlStdOperatorTable.CASE, parts);
  }

  private RexNode nullIf(SqlCall call) {
    if (call.operandCount() != 2 || isNull(call.operand(0))) {
      return null;
    }
    RexNode equal = comparison(SqlStdOperatorTable.EQUALS, call.operand(0), call.operand(1));
    List<RexNode> parts = new ArrayList<>();
    parts.add(equal);
    parts.add(nothing());
    parts.add(number(call.operand(0)));
    return choice(parts);
  }

  private RexNode coalesce(SqlCall call) {
    if (call.operandCount() == 0) {
      return null;
    }
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode node : call.getOperandList()) {
      RexNode operand = isNull(node) ? null : number(node);
      if (operand == null) {
        return null;
      }
      operands.add(operand);
    }
    RelDataType type = rex.deriveReturnType(CoalesceFunction.INSTANCE, operands);
    return type == null ? null : rex.makeCall(type, SqlStdOperatorTable.COALESCE, operands);
  }

  private RexNode cast(SqlCall call) {
    RelDataType target =
        call.operandCount() == 2 && call.operand(1) instanceof SqlDataTypeSpec spec
            ? target(spec)
            : null;
    if (target == null) {
      return null;
    } else if (isNull(call.operand(0))) {
      return rex.makeNullLiteral(nullable(target));
    }
    RexNode operand = number(call.operand(0));
    return operand == null
        ? null
        : rex.makeCast(
            types.createTypeWithNullability(target, operand.getType().isNullable()), operand);
  }

  private RelDataType target(SqlDataTypeSpec spec) {
    if (spec.getTypeNameSpec().getClass() != SqlBasicTypeNameSpec.class
        || spec.getNullable() != null) {
      return null;
    }
    return switch (spec.getTypeName().getSimple()) {
      case "INTEGER" -> types.createSqlType(SqlTypeName.INTEGER);
      case "BIGINT" -> types.createSqlType(SqlTypeName.BIGINT);
      case "SMALLINT" -> types.createSqlType(SqlTypeName.SMALLINT);
      case "REAL" -> types.createSqlType(SqlTypeName.REAL);
      case "DOUBLE" -> types.createSqlType(SqlTypeName.DOUBLE);
      default -> null;
    };
  }

  /** Returns null if this is not supported. Calcite pushes a NOT down, too. */
  private static SqlNode withoutNotIn(SqlNode node) {
    if (!(node instanceof SqlCall call) || !hasIn(node)) {
      return node;
    }
    if (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR) {
      return with(call.getOperator(), call.getOperandList(), false);
    }
    if (call.getKind() != SqlKind.NOT || !(call.operand(0) instanceof SqlCall inner)) {
      return node;
    }
    return switch (inner.getKind()) {
      case AND -> with(SqlStdOperatorTable.OR, inner.getOperandList(), true);
      case OR -> with(SqlStdOperatorTable.AND, inner.getOperandList(), true);
      case NOT -> withoutNotIn(inner.operand(0));
      case IN -> SqlStdOperatorTable.NOT_IN.createCall(SqlParserPos.ZERO, inner.getOperandList());
      case NOT_IN -> SqlStdOperatorTable.IN.createCall(SqlParserPos.ZERO, inner.getOperandList());
      case CASE -> null;
      default -> node;
    };
  }

  private static SqlNode with(SqlOperator operator, List<SqlNode> operands, boolean negated) {
    List<SqlNode> moved = new ArrayList<>();
    for (SqlNode each : operands) {
      SqlNode operand =
          negated ? SqlStdOperatorTable.NOT.createCall(SqlParserPos.ZERO, each) : each;
      moved.add(withoutNotIn(operand));
    }
    return operator.createCall(SqlParserPos.ZERO, moved);
  }

  private static boolean hasIn(SqlNode node) {
    return switch (node) {
      case SqlNodeList list -> list.stream().anyMatch(PlainExpressions::hasIn);
      case SqlCall call ->
          call.getKind() == SqlKind.IN
              || call.getKind() == SqlKind.NOT_IN
              || call.getOperandList().stream().anyMatch(PlainExpressions::hasIn);
      case null, default -> false;
    };
  }
}
