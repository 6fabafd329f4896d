package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;

/**
 * A typed expression. Immutable and thread-safe; evaluated against a {@link Frame}.
 *
 * <h2>NULL without boxing</h2>
 *
 * An expression of a {@code long} type is evaluated by {@link #evalLong}, one of an object type by
 * {@link #evalObject}, which returns null for NULL. For {@code evalLong}, a flag in the frame
 * represents NULL:
 *
 * <ul>
 *   <li>{@code frame.isNull} is false when {@code evalLong} is called.
 *   <li>When it returns, the flag is true if and only if the value is NULL. The returned number is
 *       then undefined, and the consumer of the NULL clears the flag.
 *   <li>The flag is false before and after {@code evalObject}, {@link #isNull} and {@link #isTrue}.
 * </ul>
 *
 * <p>The flag is therefore written only for NULLs, and a strict function returns when the flag is
 * set after the evaluation of an operand.
 */
public abstract class Expression {
  private final ColumnType type;

  protected Expression(ColumnType type) {
    this.type = type;
  }

  public final ColumnType type() {
    return type;
  }

  /** Returns the raw value of a {@code long} type; sets the frame's flag for NULL. */
  public long evalLong(Frame frame) {
    throw new IllegalStateException("not of a long type expression=" + this);
  }

  /** Returns the raw value of an object type, or null for NULL. */
  public Object evalObject(Frame frame) {
    throw new IllegalStateException("not of an object type expression=" + this);
  }

  /**
   * Returns the unscaled value, at the type's scale, of a DECIMAL of an object type. NULL is
   * represented as for {@link #evalLong}. If the value does not fit into a {@code long}, it must be
   * taken with {@link Frame#takeWide}.
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

  /** Returns true if {@link #evalUnscaled} creates no objects for most values. */
  public boolean hasUnscaled() {
    return false;
  }

  /** Returns true if the value is NULL. */
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

  /** Returns true if a BOOLEAN expression is TRUE (not FALSE, not NULL). */
  public boolean isTrue(Frame frame) {
    long value = evalLong(frame);
    return !frame.takeNull() && value != 0;
  }

  /** Returns true if the value depends only on the text of the statement. */
  public boolean isConstant() {
    return false;
  }

  /** Returns SQL-like text for EXPLAIN. */
  @Override
  public abstract String toString();
}
