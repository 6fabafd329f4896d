package org.nelumbo.planner.validate;

import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeCoercionRule;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.apache.calcite.util.TimeString;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.literal.TextLiterals;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;

/**
 * Implicit conversions: those of Calcite, and two more. A number that is added to a date counts as
 * days, and a boolean that is compared with a number as 0 or 1.
 */
public final class ImplicitCasts extends TypeCoercionImpl {
  ImplicitCasts(RelDataTypeFactory factory, SqlValidator validator) {
    super(factory, validator);
  }

  @Override
  public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
    SqlKind kind = binding.getOperator().getKind();
    if (binding.getOperandCount() == 2 && (kind == SqlKind.PLUS || kind == SqlKind.MINUS)) {
      boolean dateFirst = isDate(binding.getOperandType(0));
      boolean dateLast = kind == SqlKind.PLUS && isDate(binding.getOperandType(1));
      if (dateFirst && isWhole(binding.getOperandType(1))) {
        return toDays(binding, 1);
      } else if (dateLast && isWhole(binding.getOperandType(0))) {
        return toDays(binding, 0);
      } else if (dateFirst && isTime(binding.getOperandType(1))) {
        return toTimestamp(binding, 0, 1);
      } else if (dateLast && isTime(binding.getOperandType(0))) {
        return toTimestamp(binding, 1, 0);
      } else if (kind == SqlKind.MINUS && areComparable(binding)) {
        return toDifference(binding);
      }
    }
    return super.binaryArithmeticCoercion(binding);
  }

  /**
   * Keeps CHAR values of different lengths as CHAR, so that their comparison ignores trailing
   * blanks; Calcite would convert them to VARCHAR. Comparisons of literals only use VARCHAR.
   */
  @Override
  public boolean binaryComparisonCoercion(SqlCallBinding binding) {
    return !comparesChars(binding) && super.binaryComparisonCoercion(binding);
  }

  @Override
  public boolean inOperationCoercion(SqlCallBinding binding) {
    return !comparesChars(binding) && super.inOperationCoercion(binding);
  }

  private boolean comparesChars(SqlCallBinding binding) {
    boolean onlyLiterals = true;
    for (SqlNode operand : MarkerTypes.operands(binding.getCall())) {
      if (operand.isA(SqlKind.QUERY)
          || validator.deriveType(binding.getScope(), operand).getSqlTypeName()
              != SqlTypeName.CHAR) {
        return false;
      }
      onlyLiterals &= isLiteral(operand);
    }
    return !onlyLiterals;
  }

  public static boolean isLiteral(SqlNode node) {
    return node instanceof SqlLiteral || node instanceof ParameterizedLiteral;
  }

  /**
   * Converts a string that is compared with a NUMERIC, a UUID, an interval or an instant to that
   * type. Dates and timestamps that are compared with an instant are also converted.
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

  /**
   * Converts string literals next to values of another type to that type; Calcite would convert all
   * of them to strings.
   */
  @Override
  public @Nullable RelDataType getWiderTypeFor(List<RelDataType> types, boolean stringPromotion) {
    List<RelDataType> others =
        types.stream()
            .filter(type -> !isTextLiteral(type) && type.getSqlTypeName() != SqlTypeName.NULL)
            .toList();
    boolean mixes =
        types.stream().anyMatch(ImplicitCasts::isTextLiteral)
            && !others.isEmpty()
            && others.stream().noneMatch(SqlTypeUtil::isCharacter);
    if (mixes && others.size() == 1) {
      return others.getFirst();
    }
    RelDataType common = mixes ? super.getWiderTypeFor(others, false) : null;
    return common != null ? common : super.getWiderTypeFor(types, stringPromotion);
  }

  /** Literals have this type, columns rarely; CHAR columns are treated like literals. */
  private static boolean isTextLiteral(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.CHAR;
  }

  /**
   * Converts nothing to strings in UNION, INTERSECT and EXCEPT. Nested queries have been converted
   * before the outer ones; converting them again would take n^2 steps for n queries.
   */
  @Override
  public boolean rowTypeCoercion(
      SqlValidatorScope scope, SqlNode query, int columnIndex, RelDataType targetType) {
    List<RelDataTypeField> fields = validator.getValidatedNodeType(query).getFieldList();
    if (columnIndex < fields.size()
        && SqlTypeUtil.equalSansNullability(
            factory, fields.get(columnIndex).getType(), targetType)) {
      return false;
    }
    boolean becomesText =
        SqlTypeUtil.isCharacter(targetType)
            && columnIndex < fields.size()
            && !SqlTypeUtil.isCharacter(fields.get(columnIndex).getType());
    return !becomesText && super.rowTypeCoercion(scope, query, columnIndex, targetType);
  }

  private static boolean takes(RelDataType type, RelDataType other) {
    boolean isInstant = type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    if (SqlTypeUtil.isCharacter(other)) {
      return isInstant
          || SqlTypeUtil.isBinary(type)
          || NelumboTypeFactory.isNumeric(type)
          || type.getSqlTypeName() == SqlTypeName.UUID
          || SqlTypeUtil.isInterval(type);
    }
    return isInstant && (isDate(other) || other.getSqlTypeName() == SqlTypeName.TIMESTAMP);
  }

  /**
   * Allows casts of booleans to all numbers; Calcite asserts that such a cast is known to it, which
   * holds for integers only.
   */
  @Override
  protected boolean needToCast(
      SqlValidatorScope scope, SqlNode node, RelDataType to, SqlTypeMappingRule rule) {
    boolean isTruthValue = SqlTypeUtil.isBoolean(validator.deriveType(scope, node));
    return isTruthValue && SqlTypeUtil.isNumeric(to) || super.needToCast(scope, node, to, rule);
  }

  /**
   * Converts parameters, which Calcite does not, and parameterized literals in the same way as
   * literals.
   */
  @Override
  protected boolean coerceOperandType(
      SqlValidatorScope scope, SqlCall call, int index, RelDataType targetType) {
    if (!(call.operand(index) instanceof ParameterizedLiteral lifted)) {
      check(call.operand(index), targetType);
      return coerceOperand(scope, call, index, targetType);
    }
    call.setOperand(index, lifted.literal());
    boolean coerced = coerceOperand(scope, call, index, targetType);
    call.setOperand(index, lifted.instead(call.operand(index)));
    return coerced;
  }

  private static void check(SqlNode node, RelDataType type) {
    if (node instanceof SqlCharStringLiteral
        && (SqlTypeUtil.isNumeric(type) || type.getSqlTypeName() == SqlTypeName.DATE)) {
      TextLiterals.check(node, SqlTypes.toColumnType(type));
    }
  }

  private boolean coerceOperand(
      SqlValidatorScope scope, SqlCall call, int index, RelDataType targetType) {
    SqlNode operand = call.operand(index);
    if (isTextFor(targetType, scope, operand)) {
      call.setOperand(index, interval(scope, operand, targetType));
      return true;
    } else if (operand instanceof SqlDynamicParam) {
      return coerceParameter(scope, call, index, targetType);
    }
    return super.coerceOperandType(scope, call, index, targetType);
  }

  private boolean coerceParameter(
      SqlValidatorScope scope, SqlCall call, int index, RelDataType type) {
    SqlNode parameter = call.operand(index);
    if (SqlTypeUtil.isInterval(type)
        || !needToCast(scope, parameter, type, SqlTypeCoercionRule.lenientInstance())) {
      return false;
    }
    SqlParserPos position = parameter.getParserPosition();
    SqlDataTypeSpec spec = SqlTypeUtil.convertTypeToSpec(type);
    SqlNode converted = SqlStdOperatorTable.CAST.createCall(position, parameter, spec);
    validator.deriveType(scope, converted);
    call.setOperand(index, converted);
    return true;
  }

  /** Calcite cannot express this type in a cast. */
  private boolean isTextFor(RelDataType interval, SqlValidatorScope scope, SqlNode operand) {
    return SqlTypeUtil.isInterval(interval)
        && SqlTypeUtil.isCharacter(validator.deriveType(scope, operand));
  }

  private SqlNode interval(SqlValidatorScope scope, SqlNode operand, RelDataType type) {
    SqlNode interval =
        SqlStdOperatorTable.CAST.createCall(
            operand.getParserPosition(), operand, type.getIntervalQualifier());
    validator.deriveType(scope, interval);
    return interval;
  }

  @Override
  protected boolean coerceColumnType(
      SqlValidatorScope scope, SqlNodeList columns, int index, RelDataType targetType) {
    if (index >= columns.size() || !(columns.get(index) instanceof ParameterizedLiteral lifted)) {
      if (index < columns.size()) {
        check(columns.get(index), targetType);
      }
      return coerceColumn(scope, columns, index, targetType);
    }
    columns.set(index, lifted.literal());
    boolean coerced = coerceColumn(scope, columns, index, targetType);
    columns.set(index, lifted.instead(columns.get(index)));
    return coerced;
  }

  private boolean coerceColumn(
      SqlValidatorScope scope, SqlNodeList columns, int index, RelDataType targetType) {
    SqlNode column = index < columns.size() ? columns.get(index) : null;
    if (column == null || !SqlTypeUtil.isInterval(targetType) || isStar(column)) {
      return super.coerceColumnType(scope, columns, index, targetType);
    }
    SqlNode value = column.getKind() == SqlKind.AS ? ((SqlCall) column).operand(0) : column;
    if (!isTextFor(targetType, scope, value)) {
      return false; // no implicit cast from other types to intervals
    }
    SqlNode interval = interval(scope, value, targetType);
    if (column.getKind() == SqlKind.AS) {
      ((SqlCall) column).setOperand(0, interval);
    } else {
      columns.set(index, interval);
    }
    return true;
  }

  private static boolean isStar(SqlNode column) {
    return column instanceof SqlIdentifier name && name.isStar();
  }

  private static boolean areComparable(SqlCallBinding binding) {
    RelDataType left = binding.getOperandType(0);
    RelDataType right = binding.getOperandType(1);
    return SqlTypeUtil.isDatetime(left)
        && SqlTypeUtil.isDatetime(right)
        && (left.getSqlTypeName() == SqlTypeName.TIME)
            == (right.getSqlTypeName() == SqlTypeName.TIME);
  }

  private static SqlNode side(SqlCallBinding binding, int operand) {
    SqlNode side = binding.operand(operand);
    SqlTypeName left = binding.getOperandType(0).getSqlTypeName();
    if (left == binding.getOperandType(1).getSqlTypeName()) {
      return side;
    }
    SqlParserPos position = side.getParserPosition();
    SqlBasicTypeNameSpec timestamp = new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, 6, position);
    return SqlStdOperatorTable.CAST.createCall(
        position, side, new SqlDataTypeSpec(timestamp, position));
  }

  /**
   * The difference of two dates is a number of days, as in PostgreSQL; all others are intervals. It
   * replaces the first operand, and a zero the second.
   */
  private static boolean toDifference(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    SqlParserPos position = call.getParserPosition();
    boolean days = isDate(binding.getOperandType(0)) && isDate(binding.getOperandType(1));
    SqlIntervalQualifier fields =
        days
            ? new SqlIntervalQualifier(TimeUnit.DAY, null, position)
            : new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, position);
    SqlNode difference =
        SqlStdOperatorTable.MINUS_DATE.createCall(
            position, side(binding, 0), side(binding, 1), fields);
    SqlIntervalQualifier second = new SqlIntervalQualifier(TimeUnit.SECOND, null, position);
    SqlNode nothing = SqlLiteral.createInterval(1, "0", second, position);
    if (days) {
      SqlDataTypeSpec integer =
          new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.INTEGER, position), position);
      difference = SqlStdOperatorTable.CAST.createCall(position, difference, integer);
      nothing = SqlLiteral.createExactNumeric("0", position);
    }
    binding.getValidator().deriveType(binding.getScope(), difference);
    binding.getValidator().deriveType(binding.getScope(), nothing);
    call.setOperand(0, difference);
    call.setOperand(1, nothing);
    return true;
  }

  private static boolean isDate(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DATE;
  }

  private static boolean isTime(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIME;
  }

  /** Rewrites the sum of a date and a time as midnight of the date plus the time since midnight. */
  private static boolean toTimestamp(SqlCallBinding binding, int date, int time) {
    SqlCall call = binding.getCall();
    SqlParserPos position = call.getParserPosition();
    SqlBasicTypeNameSpec timestamp = new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, 6, position);
    SqlNode midnight =
        SqlStdOperatorTable.CAST.createCall(
            position, call.operand(date), new SqlDataTypeSpec(timestamp, position));
    SqlNode passed =
        SqlStdOperatorTable.MINUS_DATE.createCall(
            position,
            call.operand(time),
            SqlLiteral.createTime(new TimeString("00:00:00"), 0, position),
            new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, position));
    binding.getValidator().deriveType(binding.getScope(), midnight);
    binding.getValidator().deriveType(binding.getScope(), passed);
    call.setOperand(date, midnight);
    call.setOperand(time, passed);
    return true;
  }

  /** Includes a BigDecimal without a fraction. */
  private static boolean isWhole(RelDataType type) {
    return SqlTypeUtil.isIntType(type)
        || type.getSqlTypeName() == SqlTypeName.DECIMAL
            && !NelumboTypeFactory.isNumeric(type)
            && type.getScale() == 0;
  }

  private static boolean toDays(SqlCallBinding binding, int operand) {
    SqlCall call = binding.getCall();
    SqlNode count = call.operand(operand);
    SqlParserPos position = count.getParserPosition();
    if (!SqlTypeUtil.isIntType(binding.getOperandType(operand))) {
      SqlDataTypeSpec integer =
          new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.INTEGER, position), position);
      count = SqlStdOperatorTable.CAST.createCall(position, count, integer);
    }
    SqlIntervalLiteral day =
        SqlIntervalLiteral.createInterval(
            1, "1", new SqlIntervalQualifier(TimeUnit.DAY, null, position), position);
    SqlNode days = SqlStdOperatorTable.MULTIPLY.createCall(position, count, day);
    binding.getValidator().deriveType(binding.getScope(), days);
    call.setOperand(operand, days);
    return true;
  }
}
