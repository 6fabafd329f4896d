package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.IntervalText;
import org.nelumbo.types.Kind;

/** A constant of an object or {@code long} type, or NULL. */
final class Literal extends Expression {
  private final boolean isNull;
  private final long number;
  private final Object object;

  /** True if the number is the unscaled value of the object at the type's scale. */
  private final boolean unscaled;

  private Literal(ColumnType type, boolean isNull, long number, Object object) {
    super(type.withNullable(isNull));
    this.isNull = isNull;
    this.object = object;
    this.unscaled =
        object instanceof BigDecimal value
            && value.scale() == type.scale()
            && value.precision() <= ColumnType.MAX_LONG_PRECISION;
    this.number = unscaled ? ((BigDecimal) object).unscaledValue().longValue() : number;
  }

  /** Creates a constant of a {@code long} type. */
  static Literal of(ColumnType type, long raw) {
    return new Literal(type, false, raw, null);
  }

  /** Creates a constant of an object type; null means NULL. */
  static Literal of(ColumnType type, Object raw) {
    return new Literal(type, raw == null, 0, raw);
  }

  /** Creates a NULL of a type. */
  static Literal nullOf(ColumnType type) {
    return new Literal(type, true, 0, null);
  }

  @Override
  public long evalLong(Frame frame) {
    if (isNull) {
      frame.isNull = true;
    }
    return number;
  }

  @Override
  public Object evalObject(Frame frame) {
    return object;
  }

  @Override
  public boolean hasUnscaled() {
    return type().kind() == Kind.DECIMAL && !type().isLong();
  }

  @Override
  public long evalUnscaled(Frame frame) {
    return isNull || !unscaled ? super.evalUnscaled(frame) : number;
  }

  @Override
  public boolean isNull(Frame frame) {
    return isNull;
  }

  @Override
  public boolean isConstant() {
    return true;
  }

  @Override
  public String toString() {
    if (isNull) {
      return "NULL";
    }
    return switch (type().kind()) {
      case BOOLEAN -> number != 0 ? "TRUE" : "FALSE";
      case REAL, DOUBLE -> Double.toString(Double.longBitsToDouble(number));
      case DECIMAL, NUMERIC ->
          object != null
              ? object.toString()
              : BigDecimal.valueOf(number, type().scale()).toString();
      case CHAR, VARCHAR -> "'" + object.toString().replace("'", "''") + "'";
      case BINARY, VARBINARY -> "X'" + HexFormat.of().formatHex((byte[]) object) + "'";
      case UUID -> "UUID '" + object + "'";
      case TIMESTAMP_LTZ ->
          type().kind().sqlName() + " '" + DatetimeText.formatInstant(number, ZoneOffset.UTC) + "'";
      case DATE, TIME, TIMESTAMP ->
          type().kind() + " '" + DatetimeText.format(type().kind(), number) + "'";
      case INTERVAL_MONTHS, INTERVAL_MICROS ->
          "INTERVAL '" + IntervalText.format(type().kind(), number) + "'";
      default -> Long.toString(number);
    };
  }
}
