package org.nelumbo.executor.op.aggregate;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.ExactNumbers;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.Ranges;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/** Converts the exact result of SUM, SUM0 or AVG to the result type. Immutable. */
final class SumResult {
  private final AggregateExpression call;
  private final ColumnType type;

  SumResult(AggregateExpression call) {
    this.call = call;
    this.type = call.type();
  }

  /**
   * Sets the slot of a group without values and returns true; returns false if there are values.
   */
  boolean emitEmpty(long count, Frame frame, int slot) {
    if (count > 0) {
      return false;
    }
    if (call.function() != AggregateExpression.Function.SUM0) {
      frame.setSlotNull(slot);
    } else if (type.isLong()) {
      frame.setSlotLong(slot, 0);
    } else {
      frame.setSlotObject(slot, BigDecimal.valueOf(0, type.scale()));
    }
    return true;
  }

  /**
   * Returns true if the sum, a {@code long} with the scale of the argument, can be emitted without
   * conversion.
   */
  boolean isDirect(ColumnType argument) {
    return call.function() != AggregateExpression.Function.AVG
        && type.isLong()
        && !type.kind().isFloating()
        && type.scale() == argument.scale();
  }

  void emitDirect(long sum, Frame frame, int slot) {
    if (!Ranges.fits(type, sum)) {
      throw outOfRange();
    }
    frame.setSlotLong(slot, sum);
  }

  NelumboException outOfRange() {
    return new NelumboException(
        ErrorCode.NUMBER_OUT_OF_RANGE, call + " out of range for " + type.sqlName());
  }

  /**
   * Emits an exact sum, divided by the count for AVG. Integer results truncate, DECIMAL results
   * round half up.
   */
  void emit(BigDecimal sum, long count, Frame frame, int slot) {
    boolean average = call.function() == AggregateExpression.Function.AVG;
    if (type.kind().isFloating()) {
      emitFloating(average ? sum.doubleValue() / count : sum.doubleValue(), frame, slot);
      return;
    }
    if (type.kind() == Kind.NUMERIC) {
      emitNumeric(
          average ? ExactNumbers.quotient(type, sum, BigDecimal.valueOf(count)) : sum, frame, slot);
      return;
    }
    RoundingMode mode = type.kind().isInteger() ? RoundingMode.DOWN : RoundingMode.HALF_UP;
    BigDecimal result =
        average
            ? sum.divide(BigDecimal.valueOf(count), type.scale(), mode)
            : sum.setScale(type.scale(), mode);
    if (!type.isLong()) {
      if (!Ranges.fits(type, result)) {
        throw outOfRange();
      }
      frame.setSlotObject(slot, result);
    } else if (result.unscaledValue().bitLength() > 63) {
      throw outOfRange();
    } else {
      emitDirect(result.unscaledValue().longValue(), frame, slot);
    }
  }

  private void emitNumeric(BigDecimal result, Frame frame, int slot) {
    if (!Ranges.fits(type, result)) {
      throw outOfRange();
    }
    frame.setSlotObject(slot, Decimals.toNumeric(result));
  }

  void emitFloating(double value, Frame frame, int slot) {
    if (Double.isInfinite(value)) {
      throw outOfRange();
    }
    double rounded = type.fixedWidth() == 4 ? (float) value : value;
    frame.setSlotLong(slot, Double.doubleToRawLongBits(rounded));
  }

  boolean isAverage() {
    return call.function() == AggregateExpression.Function.AVG;
  }

  ColumnType type() {
    return type;
  }
}
