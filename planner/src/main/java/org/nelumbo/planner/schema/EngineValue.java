package org.nelumbo.planner.schema;

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
 * An operator for a value of an INSERT that the engine generates for each row. It cannot be written
 * in SQL.
 */
public abstract sealed class EngineValue extends SqlFunction permits GeneratedValue, NextIdentity {
  private final SqlTypeName type;

  EngineValue(String name, SqlTypeName type) {
    super(
        name,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        null,
        OperandTypes.NILADIC,
        SqlFunctionCategory.SYSTEM);
    this.type = type;
  }

  /** Returns the type without a lookup among the functions that users may call. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return validator.getTypeFactory().createSqlType(type);
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
