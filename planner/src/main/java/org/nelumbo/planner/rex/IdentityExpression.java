package org.nelumbo.planner.rex;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.Ranges;
import org.nelumbo.planner.catalog.IdentitySequence;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** An expression that draws the next number of an identity column each time it is evaluated. */
public final class IdentityExpression extends Expression {
  private static final ColumnType BIGINT = ColumnType.of(Kind.BIGINT);

  private final IdentitySequence sequence;
  private final ColumnType columnType;
  private final boolean notes;

  /**
   * Creates an expression for an identity column or a sequence, whose last number the session
   * records.
   */
  public IdentityExpression(ColumnType columnType, IdentitySequence sequence) {
    this(columnType, sequence, true);
  }

  private IdentityExpression(ColumnType columnType, IdentitySequence sequence, boolean notes) {
    super(BIGINT);
    this.columnType = columnType;
    this.notes = notes;
    this.sequence = sequence;
  }

  /** Creates an expression for a hidden key, whose numbers are not recorded. */
  public static IdentityExpression hidden(ColumnType columnType, IdentitySequence sequence) {
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
