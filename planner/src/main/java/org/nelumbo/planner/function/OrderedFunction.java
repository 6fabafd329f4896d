package org.nelumbo.planner.function;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.util.Optionality;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.CopyingShuttle;
import org.nelumbo.planner.type.SqlErrors;

/**
 * PERCENTILE_CONT, PERCENTILE_DISC and MODE, whose values are the sort expression of WITHIN GROUP.
 * In this implementation that expression is also the first argument.
 */
public final class OrderedFunction extends SqlAggFunction {
  private static final Map<String, OrderedFunction> FUNCTIONS =
      Map.of(
          "PERCENTILE_CONT",
          new OrderedFunction(
              "PERCENTILE_CONT",
              ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
              OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.NUMERIC)),
          "PERCENTILE_DISC",
          new OrderedFunction(
              "PERCENTILE_DISC",
              ReturnTypes.ARG0_FORCE_NULLABLE,
              OperandTypes.family(SqlTypeFamily.ANY, SqlTypeFamily.NUMERIC)),
          "MODE",
          new OrderedFunction("MODE", ReturnTypes.ARG0_FORCE_NULLABLE, OperandTypes.ANY));

  private OrderedFunction(
      String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    super(
        name,
        null,
        SqlKind.OTHER_FUNCTION,
        type,
        null,
        operands,
        SqlFunctionCategory.SYSTEM,
        false,
        false,
        Optionality.MANDATORY);
  }

  /**
   * Rewrites a call of these functions with WITHIN GROUP, adding the values as an argument; returns
   * null for other calls.
   */
  public static SqlNode replacement(SqlCall withinGroup) {
    SqlCall call = withinGroup.operand(0);
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    OrderedFunction function = FUNCTIONS.get(name);
    if (function == null || call.getOperator() instanceof OrderedFunction) {
      return null;
    }
    SqlNodeList order = withinGroup.operand(1);
    int arguments = function.getName().equals("MODE") ? 0 : 1;
    if (order.size() != 1 || call.operandCount() != arguments) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          function.getName()
              + (arguments == 0 ? " takes no argument" : " takes one argument")
              + ", and one expression in WITHIN GROUP (ORDER BY ...)",
          call.getParserPosition());
    }
    return within(withinGroup.getParserPosition(), function, call.getOperandList(), order);
  }

  private static SqlNode within(
      SqlParserPos position, OrderedFunction function, List<SqlNode> arguments, SqlNodeList order) {
    SqlNode value = order.get(0);
    while (value.getKind() == SqlKind.DESCENDING
        || value.getKind() == SqlKind.NULLS_FIRST
        || value.getKind() == SqlKind.NULLS_LAST) {
      value = ((SqlCall) value).operand(0);
    }
    List<SqlNode> operands = new ArrayList<>();
    operands.add(value.accept(new CopyingShuttle()));
    operands.addAll(arguments);
    return SqlStdOperatorTable.WITHIN_GROUP.createCall(
        position, function.createCall(position, operands), order);
  }

  /** Returns MEDIAN(x) as PERCENTILE_CONT at 0.5. */
  static SqlNode median(SqlCall call, SqlNode value) {
    SqlParserPos position = call.getParserPosition();
    return within(
        position,
        FUNCTIONS.get("PERCENTILE_CONT"),
        List.of(SqlLiteral.createExactNumeric("0.5", position)),
        SqlNodeList.of(value));
  }

  /**
   * Rewrites a call without WITHIN GROUP, MODE(x) of H2; returns null if it is already rewritten.
   */
  static SqlNode alone(SqlCall call) {
    if (call.getOperator() instanceof OrderedFunction) {
      return null;
    }
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    if (!name.equals("MODE") || call.operandCount() != 1) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          name + " needs WITHIN GROUP (ORDER BY ...) behind it",
          call.getParserPosition());
    }
    return within(
        call.getParserPosition(),
        FUNCTIONS.get("MODE"),
        List.of(),
        SqlNodeList.of(call.operand(0)));
  }

  static Set<String> names() {
    return FUNCTIONS.keySet();
  }

  static Collection<OrderedFunction> all() {
    return FUNCTIONS.values();
  }
}
