package org.nelumbo.planner.schema;

import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The operator for the value of a generated column of an INSERT, which is computed when the row is
 * written.
 */
public final class GeneratedValue extends EngineValue {
  public static final GeneratedValue INSTANCE = new GeneratedValue();

  private GeneratedValue() {
    super("GENERATED_VALUE", SqlTypeName.NULL);
  }
}
