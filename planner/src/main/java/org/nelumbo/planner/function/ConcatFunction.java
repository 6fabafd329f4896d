package org.nelumbo.planner.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.planner.type.NelumboTypeSystem;

/**
 * CONCAT of values of any type as strings, as in PostgreSQL; Calcite's function accepts strings
 * only.
 */
final class ConcatFunction extends SqlFunction {
  static final ConcatFunction INSTANCE = new ConcatFunction();

  private ConcatFunction() {
    super(
        "CONCAT",
        SqlLibraryOperators.CONCAT_FUNCTION_WITH_NULL.getKind(),
        ConcatFunction::type,
        InferTypes.VARCHAR_1024,
        OperandTypes.variadic(SqlOperandCountRanges.from(1)),
        SqlFunctionCategory.STRING);
  }

  private static RelDataType type(SqlOperatorBinding binding) {
    boolean texts =
        binding.collectOperandTypes().stream()
            .allMatch(
                type ->
                    SqlTypeUtil.inCharOrBinaryFamilies(type)
                        || type.getSqlTypeName() == SqlTypeName.NULL);
    return texts
        ? ReturnTypes.MULTIVALENT_STRING_SUM_PRECISION_NOT_NULLABLE.inferReturnType(binding)
        : binding
            .getTypeFactory()
            .createSqlType(SqlTypeName.VARCHAR, NelumboTypeSystem.MAX_STRING_LENGTH);
  }
}
