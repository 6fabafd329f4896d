package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/** Casts to numbers. */
final class NumberCasts {
  /** Bound up to which every integer is a REAL. */
  private static final long REAL_EXACT_MAX = 1L << 24;

  /** Bound up to which every power of ten is a REAL. */
  private static final int REAL_EXACT_SCALE_MAX = 10;

  private NumberCasts() {}

  /** Returns the cast, or null if there is none. */
  static Expression to(ColumnType target, Expression operand) {
    return target.kind().isFloating() ? toFloating(target, operand) : toExact(target, operand);
  }

  private static Expression toExact(ColumnType target, Expression operand) {
    ColumnType from = operand.type();
    if (from.kind().isFloating()) {
      return target.isLong()
          ? longCall(target, (f, a) -> fromDouble(target, f, a[0]), operand)
          : bigCall(target, (f, a) -> bigFromDouble(target, f, a[0]), operand);
    } else if (from.kind().isCharacter()) {
      return target.isLong()
          ? longCall(target, (f, a) -> fromText(target, f, a[0]), operand)
          : bigCall(target, (f, a) -> bigFromText(target, f, a[0]), operand);
    } else if (from.kind().isNumeric() || from.kind() == Kind.BOOLEAN || isInterval(from)) {
      return target.isLong() ? exactToLong(target, operand) : exactToBig(target, operand);
    }
    return null;
  }

  private static boolean isInterval(ColumnType type) {
    return type.kind() == Kind.INTERVAL_MICROS || type.kind() == Kind.INTERVAL_MONTHS;
  }

  private static Expression longCall(
      ColumnType target, LongFunctionCall.Body body, Expression operand) {
    return new LongFunctionCall(CastSupport.name(target), target, body, operand);
  }

  private static Expression bigCall(
      ColumnType target, ObjectFunctionCall.Body body, Expression operand) {
    return new ObjectFunctionCall(CastSupport.name(target), target, body, operand);
  }

  private static Expression exactToLong(ColumnType target, Expression operand) {
    ColumnType from = operand.type();
    if (!from.isLong()) {
      return longCall(target, (f, a) -> narrow(target, f, a[0]), operand);
    }
    int scale = from.scale();
    if (scale == target.scale() && holds(target, from)) {
      return new RelabelType(target, operand);
    }
    return longCall(target, (f, a) -> rescale(target, scale, f, a[0]), operand);
  }

  /** Both types have the same scale. */
  private static boolean holds(ColumnType target, ColumnType from) {
    if (from.kind() == Kind.BOOLEAN) {
      return true;
    } else if (target.kind().isInteger() && from.kind().isInteger()) {
      return target.kind().ordinal() >= from.kind().ordinal();
    } else if (target.kind() == Kind.DECIMAL) {
      return !isInterval(from) && ExactNumbers.digits(target) >= ExactNumbers.digits(from);
    }
    return target.kind() == Kind.BIGINT || ExactNumbers.digits(target) > ExactNumbers.digits(from);
  }

  private static long rescale(ColumnType target, int fromScale, Frame frame, Expression operand) {
    long value = operand.evalLong(frame);
    return frame.isNull ? 0 : ExactNumbers.rescale(target, value, fromScale);
  }

  private static long narrow(ColumnType target, Frame frame, Expression operand) {
    BigDecimal value = (BigDecimal) operand.evalObject(frame);
    return value == null ? frame.nullLong() : ExactNumbers.fitLong(target, value);
  }

  private static Expression exactToBig(ColumnType target, Expression operand) {
    return bigCall(
        target,
        (f, a) -> {
          BigDecimal value = ExactNumbers.big(a[0], f);
          return value == null ? null : ExactNumbers.fit(target, value);
        },
        operand);
  }

  private static long fromDouble(ColumnType target, Frame frame, Expression operand) {
    double value = Double.longBitsToDouble(operand.evalLong(frame));
    if (frame.isNull) {
      return 0;
    }
    if (target.scale() == 0 && Math.abs(value) < 1e15) {
      long floor = (long) value;
      double rest = value - floor;
      return ExactNumbers.check(target, rest >= 0.5 ? floor + 1 : rest <= -0.5 ? floor - 1 : floor);
    }
    return ExactNumbers.fitLong(target, finite(target, value));
  }

  private static BigDecimal finite(ColumnType target, double value) {
    boolean tooMany = Math.abs(value) > 1e40 && target.kind() != Kind.NUMERIC;
    if (!Double.isFinite(value) || tooMany) {
      throw ExactNumbers.outOfRange(target);
    }
    return BigDecimal.valueOf(value);
  }

  private static BigDecimal bigFromDouble(ColumnType target, Frame frame, Expression operand) {
    double value = Double.longBitsToDouble(operand.evalLong(frame));
    return frame.takeNull() ? null : ExactNumbers.fit(target, finite(target, value));
  }

  private static long fromText(ColumnType target, Frame frame, Expression operand) {
    String text = (String) operand.evalObject(frame);
    return text == null
        ? frame.nullLong()
        : ExactNumbers.fitLong(target, CastSupport.parseNumber(text, target));
  }

  private static BigDecimal bigFromText(ColumnType target, Frame frame, Expression operand) {
    String text = (String) operand.evalObject(frame);
    return text == null ? null : ExactNumbers.fit(target, CastSupport.parseNumber(text, target));
  }

  private static Expression toFloating(ColumnType target, Expression operand) {
    ColumnType from = operand.type();
    boolean real = target.kind() == Kind.REAL;
    if (from.kind() == Kind.REAL || from.kind() == target.kind()) {
      return new RelabelType(target, operand);
    } else if (from.kind() == Kind.DOUBLE) {
      return longCall(target, (f, a) -> realFromDouble(target, f, a[0]), operand);
    } else if (from.kind().isCharacter()) {
      return longCall(target, (f, a) -> floatingFromText(target, real, f, a[0]), operand);
    } else if (!from.kind().isNumeric() && from.kind() != Kind.BOOLEAN) {
      return null;
    } else if (!from.isLong()) {
      return longCall(target, (f, a) -> floatingFromBig(target, real, f, a[0]), operand);
    } else if (from.scale() == 0) {
      return longCall(
          target,
          (f, a) -> {
            long value = a[0].evalLong(f);
            return Double.doubleToRawLongBits(real ? (float) value : (double) value);
          },
          operand);
    }
    return longCall(target, (f, a) -> floatingFromScaled(target, real, f, a[0]), operand);
  }

  private static long realFromDouble(ColumnType target, Frame frame, Expression operand) {
    double value = Double.longBitsToDouble(operand.evalLong(frame));
    float nearest = (float) value;
    if (Float.isInfinite(nearest) && !Double.isInfinite(value)) {
      throw ExactNumbers.outOfRange(target);
    }
    return Double.doubleToRawLongBits(nearest);
  }

  /** A REAL is rounded once: a conversion through DOUBLE could be off by one in the last bit. */
  private static long nearest(ColumnType target, boolean real, BigDecimal value) {
    double nearest = real ? value.floatValue() : value.doubleValue();
    if (Double.isInfinite(nearest)) {
      throw ExactNumbers.outOfRange(target);
    }
    return Double.doubleToRawLongBits(nearest);
  }

  /**
   * If the unscaled value and the power of ten are exact values of the type, their quotient is the
   * nearest value, so few values need a BigDecimal.
   */
  private static long floatingFromScaled(
      ColumnType target, boolean real, Frame frame, Expression operand) {
    long value = operand.evalLong(frame);
    int scale = operand.type().scale();
    if (!real && Math.abs(value) < 1L << 53) {
      return Double.doubleToRawLongBits((double) value / Decimals.power(scale));
    }
    if (real && Math.abs(value) <= REAL_EXACT_MAX && scale <= REAL_EXACT_SCALE_MAX) {
      return Double.doubleToRawLongBits((float) value / (float) Decimals.power(scale));
    }
    return nearest(target, real, BigDecimal.valueOf(value, scale));
  }

  private static long floatingFromBig(
      ColumnType target, boolean real, Frame frame, Expression operand) {
    BigDecimal value = (BigDecimal) operand.evalObject(frame);
    return value == null ? frame.nullLong() : nearest(target, real, value);
  }

  private static long floatingFromText(
      ColumnType target, boolean real, Frame frame, Expression operand) {
    String text = (String) operand.evalObject(frame);
    if (text == null) {
      return frame.nullLong();
    }
    String number = text.strip();
    if (isJavaLiteral(number)) {
      throw target.cannotCast(text);
    }
    double value;
    try {
      value = real ? Float.parseFloat(number) : Double.parseDouble(number);
    } catch (NumberFormatException notANumber) {
      throw target.cannotCast(text);
    }
    if (Double.isInfinite(value) && Character.isDigit(number.charAt(number.length() - 1))) {
      throw ExactNumbers.outOfRange(target);
    }
    return Double.doubleToRawLongBits(value);
  }

  /**
   * Returns true for a hexadecimal number and for a suffix, which Java accepts and SQL does not.
   */
  private static boolean isJavaLiteral(String number) {
    char last = number.isEmpty() ? ' ' : Character.toLowerCase(number.charAt(number.length() - 1));
    return last == 'd' || last == 'f' || number.indexOf('x') >= 0 || number.indexOf('X') >= 0;
  }
}
