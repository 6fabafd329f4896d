package org.nelumbo.planner.function;

import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlExtractFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;

/**
 * EXTRACT with fractional seconds, which Calcite truncates. Seconds, milliseconds and epochs are
 * DECIMALs with microsecond resolution; other fields are BIGINT.
 */
public final class ExtractFunction extends SqlExtractFunction {
  static final ExtractFunction INSTANCE = new ExtractFunction();

  private ExtractFunction() {
    super("EXTRACT", false);
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    RelDataTypeFactory types = binding.getTypeFactory();
    RelDataType from = binding.getOperandType(1);
    boolean isDate = from.getSqlTypeName() == SqlTypeName.DATE;
    RelDataType type =
        isDate ? types.createSqlType(SqlTypeName.BIGINT) : ofField(types, field(binding));
    return types.createTypeWithNullability(type, from.isNullable());
  }

  private static TimeUnitRange field(SqlOperatorBinding binding) {
    return binding instanceof SqlCallBinding call
        ? ((SqlIntervalQualifier) call.operand(0)).timeUnitRange
        : binding.getOperandLiteralValue(0, TimeUnitRange.class);
  }

  private static RelDataType ofField(RelDataTypeFactory types, TimeUnitRange field) {
    return switch (field) {
      case SECOND -> types.createSqlType(SqlTypeName.DECIMAL, 8, 6);
      case MILLISECOND -> types.createSqlType(SqlTypeName.DECIMAL, 8, 3);
      case EPOCH -> types.createSqlType(SqlTypeName.DECIMAL, 18, 6);
      case null, default -> types.createSqlType(SqlTypeName.BIGINT);
    };
  }

  public static RexNode convert(SqlRexContext context, SqlCall call) {
    RexBuilder rex = context.getRexBuilder();
    SqlIntervalQualifier field = call.operand(0);
    return rex.makeCall(
        context.getValidator().getValidatedNodeType(call),
        INSTANCE,
        List.of(rex.makeFlag(field.timeUnitRange), context.convertExpression(call.operand(1))));
  }
}
