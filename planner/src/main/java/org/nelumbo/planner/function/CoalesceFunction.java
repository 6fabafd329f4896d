package org.nelumbo.planner.function;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Static;

/**
 * COALESCE as a function. Calcite expands it to CASE, in which each operand but the last occurs
 * twice, so that the planning time doubles with each level of nesting.
 */
public final class CoalesceFunction extends SqlFunction {
  public static final CoalesceFunction INSTANCE = new CoalesceFunction();

  private CoalesceFunction() {
    super(
        "COALESCE",
        SqlKind.COALESCE,
        ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.LEAST_NULLABLE),
        CoalesceFunction::inferOperands,
        OperandTypes.ONE_OR_MORE,
        SqlFunctionCategory.SYSTEM);
  }

  /** Returns true if an operator of the parser is COALESCE. */
  public static boolean isMeantBy(SqlOperator operator) {
    return operator.equals(SqlStdOperatorTable.COALESCE)
        || operator instanceof SqlUnresolvedFunction
            && operator.getName().equalsIgnoreCase("COALESCE");
  }

  /** Gives markers the common type of the operands that have one, else the type of the whole. */
  private static void inferOperands(
      SqlCallBinding binding, RelDataType whole, RelDataType[] operandTypes) {
    List<RelDataType> known = new ArrayList<>();
    for (SqlNode operand : binding.operands()) {
      RelDataType type = SqlTypeUtil.deriveType(binding, operand);
      if (type.getSqlTypeName() != SqlTypeName.UNKNOWN
          && type.getSqlTypeName() != SqlTypeName.NULL) {
        known.add(type);
      }
    }
    RelDataType common = known.isEmpty() ? whole : binding.getTypeFactory().leastRestrictive(known);
    Arrays.fill(operandTypes, common == null ? known.getFirst() : common);
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    RelDataType type = getReturnTypeInference().inferReturnType(binding);
    if (type != null) {
      return type;
    }
    SqlCallBinding call = (SqlCallBinding) binding;
    if (call.getValidator().getTypeCoercion().caseOrEquivalentCoercion(call)) {
      return SqlTypeUtil.deriveType(call);
    }
    throw call.newValidationError(Static.RESOURCE.illegalMixingOfTypes());
  }
}
