package org.nelumbo.planner.frontend;

import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Calcite's conversions; and a number that is added to a date is one of days, a truth value that is
 * compared with any number 0 or 1.
 */
final class ImplicitCasts extends TypeCoercionImpl {
  ImplicitCasts(RelDataTypeFactory factory, SqlValidator validator) {
    super(factory, validator);
  }

  @Override
  public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
    SqlKind kind = binding.getOperator().getKind();
    if (binding.getOperandCount() == 2 && (kind == SqlKind.PLUS || kind == SqlKind.MINUS)) {
      boolean dateFirst = isDate(binding.getOperandType(0));
      boolean dateLast = kind == SqlKind.PLUS && isDate(binding.getOperandType(1));
      if (dateFirst && SqlTypeUtil.isIntType(binding.getOperandType(1))) {
        return toDays(binding, 1);
      } else if (dateLast && SqlTypeUtil.isIntType(binding.getOperandType(0))) {
        return toDays(binding, 0);
      }
    }
    return super.binaryArithmeticCoercion(binding);
  }

  /**
   * Text that is compared with a NUMERIC, a UUID or a point in time is one; so is a date or a
   * timestamp beside a point in time.
   */
  @Override
  public @Nullable RelDataType commonTypeForBinaryComparison(
      @Nullable RelDataType left, @Nullable RelDataType right) {
    if (left != null && right != null) {
      if (takes(left, right)) {
        return left;
      } else if (takes(right, left)) {
        return right;
      }
    }
    return super.commonTypeForBinaryComparison(left, right);
  }

  private static boolean takes(RelDataType type, RelDataType other) {
    boolean isInstant = type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    if (SqlTypeUtil.isCharacter(other)) {
      return isInstant
          || NelumboTypeFactory.isNumeric(type)
          || type.getSqlTypeName() == SqlTypeName.UUID;
    }
    return isInstant && (isDate(other) || other.getSqlTypeName() == SqlTypeName.TIMESTAMP);
  }

  /** Calcite asserts that such a cast is one of its own, which it is for integers only. */
  @Override
  protected boolean needToCast(
      SqlValidatorScope scope, SqlNode node, RelDataType to, SqlTypeMappingRule rule) {
    boolean isTruthValue = SqlTypeUtil.isBoolean(validator.deriveType(scope, node));
    return isTruthValue && SqlTypeUtil.isNumeric(to) || super.needToCast(scope, node, to, rule);
  }

  /**
   * Calcite does not convert parameters; literals that are lifted are converted as literals are.
   */
  @Override
  protected boolean coerceOperandType(
      SqlValidatorScope scope, SqlCall call, int index, RelDataType targetType) {
    if (!(call.operand(index) instanceof LiftedLiteral lifted)) {
      return super.coerceOperandType(scope, call, index, targetType);
    }
    call.setOperand(index, lifted.literal());
    boolean coerced = super.coerceOperandType(scope, call, index, targetType);
    call.setOperand(index, lifted.instead(call.operand(index)));
    return coerced;
  }

  @Override
  protected boolean coerceColumnType(
      SqlValidatorScope scope, SqlNodeList columns, int index, RelDataType targetType) {
    if (!(columns.get(index) instanceof LiftedLiteral lifted)) {
      return super.coerceColumnType(scope, columns, index, targetType);
    }
    columns.set(index, lifted.literal());
    boolean coerced = super.coerceColumnType(scope, columns, index, targetType);
    columns.set(index, lifted.instead(columns.get(index)));
    return coerced;
  }

  private static boolean isDate(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DATE;
  }

  private static boolean toDays(SqlCallBinding binding, int operand) {
    SqlCall call = binding.getCall();
    SqlNode count = call.operand(operand);
    SqlParserPos place = count.getParserPosition();
    SqlIntervalLiteral day =
        SqlIntervalLiteral.createInterval(
            1, "1", new SqlIntervalQualifier(TimeUnit.DAY, null, place), place);
    SqlNode days = SqlStdOperatorTable.MULTIPLY.createCall(place, count, day);
    binding.getValidator().deriveType(binding.getScope(), days);
    call.setOperand(operand, days);
    return true;
  }
}
