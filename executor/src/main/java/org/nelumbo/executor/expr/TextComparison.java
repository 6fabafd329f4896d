package org.nelumbo.executor.expr;

import org.nelumbo.executor.row.RowBuffer;

/**
 * An equality or inequality test of a text column. The bytes of the row are compared, without
 * creating a string from them.
 */
final class TextComparison extends Comparison {
  private final ColumnReference column;
  private final Expression other;

  /**
   * Creates a comparison.
   *
   * @param op EQ or NE
   * @param column the side that is a column
   */
  TextComparison(
      CompareOp op, Expression left, Expression right, ColumnReference column, Expression other) {
    super(op, left, right);
    this.column = column;
    this.other = other;
  }

  /** Creates the comparison of two texts, or returns null if this class does not apply to it. */
  static Expression of(CompareOp op, Expression left, Expression right, boolean padded) {
    if (op != CompareOp.EQ && op != CompareOp.NE) {
      return null;
    } else if (isComparable(left, padded)) {
      return new TextComparison(op, left, right, (ColumnReference) left, right);
    }
    return isComparable(right, padded)
        ? new TextComparison(op, left, right, (ColumnReference) right, left)
        : null;
  }

  private static boolean isComparable(Expression side, boolean padded) {
    return side instanceof ColumnReference column
        && column.layout().isPlainText(column.column(), padded);
  }

  @Override
  public long evalLong(Frame frame) {
    String text = column.isNull(frame) ? null : (String) other.evalObject(frame);
    if (text == null) {
      return frame.nullLong();
    }
    RowBuffer row = frame.row(column.row());
    boolean equal = column.layout().hasText(row.bytes, row.offset, column.column(), text);
    return equal == (op == CompareOp.EQ) ? 1 : 0;
  }
}
