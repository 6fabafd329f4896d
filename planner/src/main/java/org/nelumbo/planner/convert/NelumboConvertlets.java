package org.nelumbo.planner.convert;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.nelumbo.planner.function.AddedFunctions;
import org.nelumbo.planner.function.ExtractFunction;
import org.nelumbo.planner.function.GroupsOperator;
import org.nelumbo.planner.validate.ImplicitCasts;

/**
 * Calcite's convertlets with exceptions. TIMESTAMPADD, TIMESTAMPDIFF and casts of intervals remain
 * calls: Calcite's arithmetic for them is in milliseconds, Nelumbo's in microseconds. NVL, GREATEST
 * and LEAST also remain calls: as CASE they would repeat their operands.
 */
final class NelumboConvertlets implements SqlRexConvertletTable {
  static final NelumboConvertlets INSTANCE = new NelumboConvertlets();

  private NelumboConvertlets() {}

  @Override
  public SqlRexConvertlet get(SqlCall call) {
    return switch (call.getKind()) {
      case TIMESTAMP_ADD, TIMESTAMP_DIFF -> NelumboConvertlets::keep;
      case CAST -> NelumboConvertlets::cast;
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM ->
          NelumboConvertlets::compare;
      case NVL, GREATEST, LEAST -> NelumboConvertlets::keepFunction;
      case OVERLAPS -> NelumboConvertlets::overlaps;
      case EXTRACT -> ExtractFunction::convert;
      case PRECEDING, FOLLOWING ->
          GroupsOperator.isBound(call)
              ? GroupsOperator::bound
              : StandardConvertletTable.INSTANCE.get(call);
      default ->
          AddedFunctions.isOwn(call.getOperator())
              ? NelumboConvertlets::keepFunction
              : StandardConvertletTable.INSTANCE.get(call);
    };
  }

  /** Keeps CHAR values of different lengths unchanged, see {@link ImplicitCasts}. */
  private static RexNode compare(SqlRexContext context, SqlCall call) {
    boolean padded =
        call.operandCount() == 2
            && isChar(context, call.operand(0))
            && isChar(context, call.operand(1))
            && !(ImplicitCasts.isLiteral(call.operand(0))
                && ImplicitCasts.isLiteral(call.operand(1)));
    if (!padded) {
      return StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
    }
    return context
        .getRexBuilder()
        .makeCall(
            call.getOperator(),
            context.convertExpression(call.operand(0)),
            context.convertExpression(call.operand(1)));
  }

  private static boolean isChar(SqlRexContext context, SqlNode operand) {
    RelDataType type = context.getValidator().getValidatedNodeTypeIfKnown(operand);
    return type != null && type.getSqlTypeName() == SqlTypeName.CHAR;
  }

  private static RexNode cast(SqlRexContext context, SqlCall call) {
    RelDataType from = context.getValidator().getValidatedNodeTypeIfKnown(call.operand(0));
    RelDataType to = context.getValidator().getValidatedNodeTypeIfKnown(call);
    boolean isInterval =
        from != null && to != null && (SqlTypeUtil.isInterval(from) || SqlTypeUtil.isInterval(to));
    if (!isInterval && !losesDigits(from, to)) {
      return StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
    }
    return context
        .getRexBuilder()
        .makeAbstractCast(to, context.convertExpression(call.operand(0)), false);
  }

  /** Calcite truncates literals, Nelumbo rounds them. */
  private static boolean losesDigits(RelDataType from, RelDataType to) {
    return from != null
        && to != null
        && SqlTypeUtil.isDatetime(from)
        && SqlTypeUtil.isDatetime(to)
        && to.getPrecision() < from.getPrecision();
  }

  /**
   * Two periods overlap if each begins before the other ends, or if both begin at the same time. As
   * in the standard, the end is not part of a period; Calcite's convertlet includes it.
   */
  private static RexNode overlaps(SqlRexContext context, SqlCall call) {
    RexNode closed = StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
    RexBuilder rex = context.getRexBuilder();
    List<RexNode> both = ((RexCall) closed).getOperands();
    List<RexNode> first = ((RexCall) both.get(0)).getOperands();
    List<RexNode> second = ((RexCall) both.get(1)).getOperands();
    return rex.makeCall(
        SqlStdOperatorTable.OR,
        rex.makeCall(
            SqlStdOperatorTable.AND,
            rex.makeCall(SqlStdOperatorTable.GREATER_THAN, first),
            rex.makeCall(SqlStdOperatorTable.GREATER_THAN, second)),
        rex.makeCall(SqlStdOperatorTable.EQUALS, first.get(1), second.get(1)));
  }

  private static RexNode keepFunction(SqlRexContext context, SqlCall call) {
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    List<RexNode> operands =
        call.getOperandList().stream().map(context::convertExpression).toList();
    return context.getRexBuilder().makeCall(type, call.getOperator(), operands);
  }

  private static RexNode keep(SqlRexContext context, SqlCall call) {
    RexBuilder rex = context.getRexBuilder();
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    SqlIntervalQualifier unit = call.operand(0);
    return rex.makeCall(
        type,
        call.getOperator(),
        List.of(
            rex.makeFlag(unit.getUnit()),
            context.convertExpression(call.operand(1)),
            context.convertExpression(call.operand(2))));
  }
}
