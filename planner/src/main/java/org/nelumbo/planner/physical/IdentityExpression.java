package org.nelumbo.planner.physical;

import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.executor.row.Ranges;
import org.nelumbo.planner.catalog.IdentitySequence;

/** The next number of an identity column; another one each time it is evaluated. */
final class IdentityExpression extends Expression {
  private static final ColumnType BIGINT = ColumnType.of(Kind.BIGINT);

  private final IdentitySequence sequence;
  private final ColumnType columnType;

  IdentityExpression(ColumnType columnType, IdentitySequence sequence) {
    super(BIGINT);
    this.columnType = columnType;
    this.sequence = sequence;
  }

  @Override
  public long evalLong(Frame frame) {
    long number = sequence.next();
    if (columnType.kind().isInteger() && !Ranges.fits(columnType, number)) {
      throw new NelumboException(
          ErrorCode.NUMBER_OUT_OF_RANGE,
          "the identity column's type " + columnType.sqlName() + " is too small for " + number);
    }
    return number;
  }

  @Override
  public String toString() {
    return "NEXT IDENTITY";
  }
}
