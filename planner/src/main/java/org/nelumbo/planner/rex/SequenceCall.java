package org.nelumbo.planner.rex;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * CURRVAL, the last number that the session drew from a sequence, or SETVAL, which sets its number.
 */
final class SequenceCall extends Expression {
  private final SequenceEntry sequence;

  /** Null for CURRVAL. */
  private final Expression number;

  /** Null for TRUE. */
  private final Expression called;

  private SequenceCall(SequenceEntry sequence, Expression number, Expression called) {
    super(ColumnType.of(Kind.BIGINT).withNullable(number != null));
    this.sequence = sequence;
    this.number = number;
    this.called = called;
  }

  static Expression current(SequenceEntry sequence) {
    return new SequenceCall(sequence, null, null);
  }

  /**
   * Creates a SETVAL.
   *
   * @param called whether the number counts as drawn; null for TRUE
   */
  static Expression set(SequenceEntry sequence, Expression number, Expression called) {
    return new SequenceCall(sequence, number, called);
  }

  @Override
  public long evalLong(Frame frame) {
    if (number == null) {
      return frame.session().current(sequence.numbers(), sequence);
    }
    long value = number.evalLong(frame);
    if (frame.isNull) {
      return frame.nullLong();
    }
    boolean drawn = called == null || called.evalLong(frame) != 0;
    if (frame.isNull) {
      return frame.nullLong();
    }
    sequence.numbers().set(value, drawn);
    if (drawn) {
      frame.session().drew(sequence.numbers(), value);
    }
    return value;
  }

  @Override
  public String toString() {
    return number == null
        ? "CURRVAL('" + sequence + "')"
        : "SETVAL('" + sequence + "', " + number + (called == null ? "" : ", " + called) + ")";
  }
}
