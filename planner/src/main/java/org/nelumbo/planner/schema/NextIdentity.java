package org.nelumbo.planner.schema;

import org.apache.calcite.sql.type.SqlTypeName;

/** The operator that draws the next number of an identity column of an INSERT. */
public final class NextIdentity extends EngineValue {
  private final int column;

  NextIdentity(int column) {
    super("NEXT_IDENTITY_" + column, SqlTypeName.BIGINT);
    this.column = column;
  }

  /** Returns the ordinal of the column. */
  public int column() {
    return column;
  }
}
