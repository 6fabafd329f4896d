package org.nelumbo.planner.plain;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.planner.function.AverageFunction;
import org.nelumbo.planner.function.SumFunction;

/**
 * COUNT, SUM, MIN, MAX and AVG of numbers in a {@link PlainQuery}, with groups by columns. All
 * calls are collected first, then the expressions above refer to their results.
 */
final class PlainAggregates {
  private final RexBuilder rex;
  private final PlainExpressions below;

  /** Group columns, by position in the row of all tables. */
  private final List<Integer> groups = new ArrayList<>();

  private final List<RexNode> inputs = new ArrayList<>();
  private final List<AggregateCall> calls = new ArrayList<>();
  private final Map<AggregateCall, RexNode> places = new HashMap<>();

  PlainAggregates(RexBuilder rex, PlainExpressions below) {
    this.rex = rex;
    this.below = below;
  }

  /** Returns true if a call is one of an aggregate function. */
  static boolean isAggregate(SqlCall call) {
    return function(call) != null;
  }

  private static SqlAggFunction function(SqlCall call) {
    if (!(call.getOperator() instanceof SqlUnresolvedFunction function)) {
      return null;
    }
    return switch (function.getName().toUpperCase(Locale.ROOT)) {
      case "COUNT" -> SqlStdOperatorTable.COUNT;
      case "SUM" -> SumFunction.INSTANCE;
      case "MIN" -> SqlStdOperatorTable.MIN;
      case "MAX" -> SqlStdOperatorTable.MAX;
      case "AVG" -> AverageFunction.INSTANCE;
      default -> null;
    };
  }

  /** Returns true if an expression contains an aggregate function. */
  static boolean areIn(SqlNode node) {
    return switch (node) {
      case SqlNodeList list -> list.stream().anyMatch(PlainAggregates::areIn);
      case SqlCall call ->
          isAggregate(call) || call.getOperandList().stream().anyMatch(PlainAggregates::areIn);
      case null, default -> false;
    };
  }

  /** Adds group columns; returns false if an expression is not a column. */
  boolean group(SqlNodeList nodes, PlainTables tables) {
    for (SqlNode node : nodes) {
      int column = node instanceof SqlIdentifier name ? tables.column(name) : -1;
      if (column < 0) {
        return false;
      }
      if (!groups.contains(column)) {
        groups.add(column);
        inputs.add(rex.makeInputRef(tables.field(column).getType(), column));
      }
    }
    return true;
  }

  /** Collects the calls in an expression; returns false if one is not supported. */
  boolean collect(SqlNode node) {
    return switch (node) {
      case SqlNodeList list -> list.stream().allMatch(this::collect);
      case SqlCall call ->
          isAggregate(call)
              ? call(call) != null
              : call.getOperandList().stream().allMatch(this::collect);
      case null, default -> true;
    };
  }

  /** Returns a column above the aggregation, or null if it is not a group column. */
  RexNode column(int column) {
    int group = groups.indexOf(column);
    return group < 0 ? null : rex.makeInputRef(inputs.get(group).getType(), group);
  }

  /** Collects a call and returns its result above the aggregation; null if it is not supported. */
  RexNode call(SqlCall call) {
    SqlAggFunction function = function(call);
    SqlLiteral quantifier = call.getFunctionQuantifier();
    boolean distinct = quantifier != null && quantifier.getValue() == SqlSelectKeyword.DISTINCT;
    if (call.operandCount() != 1 || areIn(call.operand(0))) {
      return null;
    }
    List<Integer> arguments = new ArrayList<>();
    List<RelDataType> types = new ArrayList<>();
    boolean isStar = call.operand(0) instanceof SqlIdentifier name && name.isStar();
    if (isStar) {
      if (function.getKind() != SqlKind.COUNT
          || quantifier != null
          || ((SqlIdentifier) call.operand(0)).names.size() > 1) {
        return null;
      }
    } else {
      RexNode argument = below.convert(call.operand(0));
      if (argument == null || !SqlTypeUtil.isNumeric(argument.getType())) {
        return null;
      }
      int input = inputs.indexOf(argument);
      if (input < 0) {
        input = inputs.size();
        inputs.add(argument);
      }
      arguments.add(input);
      types.add(argument.getType());
    }
    RelDataType type =
        function.inferReturnType(
            new Aggregate.AggCallBinding(
                rex.getTypeFactory(),
                function,
                ImmutableList.of(),
                types,
                groups.isEmpty(),
                false));
    AggregateCall made =
        AggregateCall.create(
            SqlParserPos.ZERO,
            function,
            distinct,
            false,
            false,
            ImmutableList.of(),
            arguments,
            -1,
            null,
            RelCollations.EMPTY,
            type,
            null);
    return rex.addAggCall(
        made, groups.size(), calls, places, i -> inputs.get(i).getType().isNullable());
  }

  /**
   * Returns the grouping, or null if there is nothing to group by and to aggregate.
   *
   * @param having conditions over the results
   */
  TableQuery.Grouping grouping(List<RexNode> having) {
    return groups.isEmpty() && calls.isEmpty()
        ? null
        : new TableQuery.Grouping(inputs, groups.size(), calls, having);
  }

  /** Returns the group columns. */
  List<RexNode> groups() {
    return inputs.subList(0, groups.size());
  }

  /** Returns true if no function is computed, so that the groups are the distinct rows. */
  boolean isDistinct() {
    return calls.isEmpty();
  }
}
