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
  private final boolean notes;

  /** Numbers of an identity column or a sequence, of which the session notes the last. */
  IdentityExpression(ColumnType columnType, IdentitySequence sequence) {
    this(columnType, sequence, true);
  }

  private IdentityExpression(ColumnType columnType, IdentitySequence sequence, boolean notes) {
    super(BIGINT);
    this.columnType = columnType;
    this.notes = notes;
    this.sequence = sequence;
  }

  /** Numbers of a hidden key, which nobody asks for. */
  static IdentityExpression hidden(ColumnType columnType, IdentitySequence sequence) {
    return new IdentityExpression(columnType, sequence, false);
  }

  @Override
  public long evalLong(Frame frame) {
    long number = sequence.next();
    if (notes) {
      frame.session().drew(sequence, number);
    }
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
