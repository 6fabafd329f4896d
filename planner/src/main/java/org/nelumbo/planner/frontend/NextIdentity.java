package org.nelumbo.planner.frontend;

import org.apache.calcite.sql.type.SqlTypeName;

/** The operator that draws the next number of the identity column of an INSERT. */
public final class NextIdentity extends EngineValue {
  public static final NextIdentity INSTANCE = new NextIdentity();

  private NextIdentity() {
    super("NEXT_IDENTITY", SqlTypeName.BIGINT);
  }
}
