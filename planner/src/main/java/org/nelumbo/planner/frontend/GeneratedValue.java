package org.nelumbo.planner.frontend;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * The operator that stands for the value of a generated column of an INSERT, which is computed when
 * the row is written. Users cannot write it.
 */
public final class GeneratedValue extends SqlFunction {
  public static final GeneratedValue INSTANCE = new GeneratedValue();

  private GeneratedValue() {
    super(
        "GENERATED_VALUE",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(SqlTypeName.NULL),
        null,
        OperandTypes.NILADIC,
        SqlFunctionCategory.SYSTEM);
  }

  /** Known without a look into the functions that users may call. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return validator.getTypeFactory().createSqlType(SqlTypeName.NULL);
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public boolean isDynamicFunction() {
    return true;
  }
}
