package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;

/** AT TIME ZONE. */
public final class ZoneOperator extends SqlBinaryOperator {
  public static final ZoneOperator INSTANCE = new ZoneOperator();

  /** Precedence above arithmetic and below a cast. */
  private static final int PRECEDENCE = 90;

  private ZoneOperator() {
    super("AT TIME ZONE", SqlKind.OTHER, PRECEDENCE, true, null, null, null);
  }
}
