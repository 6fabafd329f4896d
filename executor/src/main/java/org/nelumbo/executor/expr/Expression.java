package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;

/**
 * An expression with a type. Immutable and thread-safe; evaluated against a {@link Frame}.
 *
 * <h2>NULL without boxing</h2>
 *
 * An expression of a {@code long} type is evaluated by {@link #evalLong}, one of an object type by
 * {@link #evalObject} (which returns null for NULL). For the former, NULL is told by a flag in the
 * frame:
 *
 * <ul>
 *   <li>{@code frame.isNull} is false when {@code evalLong} is called;
 *   <li>it is true when it returns if and only if the value is NULL (the returned number is then
 *       meaningless), and whoever consumes the NULL clears the flag;
 *   <li>{@code evalObject}, {@link #isNull} and {@link #isTrue} find and leave the flag false.
 * </ul>
 *
 * So nothing is written where there is no NULL, and a strict function just returns when the flag is
 * set after it evaluated an operand.
 */
public abstract class Expression {
  private final ColumnType type;

  protected Expression(ColumnType type) {
    this.type = type;
  }

  public final ColumnType type() {
    return type;
  }

  /** The raw value of a {@code long} type; NULL is told by the frame's flag. */
  public long evalLong(Frame frame) {
    throw new IllegalStateException("not of a long type expression=" + this);
  }

  /** The raw value of an object type; null for NULL. */
  public Object evalObject(Frame frame) {
    throw new IllegalStateException("not of an object type expression=" + this);
  }

  /**
   * The raw value of a DECIMAL of an object type, as the {@code long} it has at the type's scale.
   * NULL is told as by {@link #evalLong}; of what does not fit {@link Frame#takeWide} gives the
   * value, which has to be taken then.
   */
  public long evalUnscaled(Frame frame) {
    BigDecimal value = (BigDecimal) evalObject(frame);
    if (value == null) {
      return frame.nullLong();
    }
    boolean fits =
        value.scale() == type.scale() && value.precision() <= ColumnType.MAX_LONG_PRECISION;
    return fits ? value.unscaledValue().longValue() : frame.wideLong(value);
  }

  /** Whether {@link #evalUnscaled} makes no objects for most values. */
  public boolean hasUnscaled() {
    return false;
  }

  /** Whether the value is NULL. */
  public boolean isNull(Frame frame) {
    if (!type.nullable()) {
      return false;
    }
    if (!type.isLong()) {
      return evalObject(frame) == null;
    }
    evalLong(frame);
    return frame.takeNull();
  }

  /** Whether a BOOLEAN expression is TRUE (not FALSE, not NULL). */
  public boolean isTrue(Frame frame) {
    long value = evalLong(frame);
    return !frame.takeNull() && value != 0;
  }

  /** Whether the value depends on nothing but the statement's text. */
  public boolean isConstant() {
    return false;
  }

  /** SQL-like text for EXPLAIN. */
  @Override
  public abstract String toString();
}
