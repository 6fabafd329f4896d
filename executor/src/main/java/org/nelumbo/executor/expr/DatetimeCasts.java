package org.nelumbo.executor.expr;

import org.nelumbo.types.CivilCalendar;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.FractionalSeconds;
import org.nelumbo.types.Kind;

/** Casts to dates and times. */
final class DatetimeCasts {
  private DatetimeCasts() {}

  /** Returns the cast, or null if there is none. */
  static Expression to(ColumnType target, Expression operand) {
    Kind from = operand.type().kind();
    Kind to = target.kind();
    if (from.isCharacter()) {
      Expression parsed = call(target, (f, a) -> parse(target, f, a[0]), operand);
      return to == Kind.TIMESTAMP_LTZ ? new VolatileExpression(parsed) : parsed;
    } else if (!from.isDatetime()) {
      return null;
    } else if (from == to) {
      return to == Kind.DATE || target.precision() >= operand.type().precision()
          ? new RelabelType(target, operand)
          : convert(target, operand, (f, raw) -> raw);
    }
    Conversion conversion = conversion(from, to);
    return conversion == null ? null : convert(target, operand, conversion);
  }

  @FunctionalInterface
  private interface Conversion {
    long convert(Frame frame, long raw);
  }

  private static Conversion conversion(Kind from, Kind to) {
    return switch (to) {
      case DATE ->
          switch (from) {
            case TIMESTAMP -> (f, raw) -> Math.floorDiv(raw, CivilCalendar.MICROS_PER_DAY);
            case TIMESTAMP_LTZ ->
                (f, raw) -> Math.floorDiv(toLocal(f, raw), CivilCalendar.MICROS_PER_DAY);
            default -> null;
          };
      case TIME ->
          switch (from) {
            case TIMESTAMP -> (f, raw) -> Math.floorMod(raw, CivilCalendar.MICROS_PER_DAY);
            case TIMESTAMP_LTZ ->
                (f, raw) -> Math.floorMod(toLocal(f, raw), CivilCalendar.MICROS_PER_DAY);
            default -> null;
          };
      case TIMESTAMP ->
          switch (from) {
            case DATE -> (f, raw) -> raw * CivilCalendar.MICROS_PER_DAY;
            case TIME -> (f, raw) -> today(f) * CivilCalendar.MICROS_PER_DAY + raw;
            default -> DatetimeCasts::toLocal;
          };
      default ->
          switch (from) {
            case DATE -> (f, raw) -> toInstant(f, raw * CivilCalendar.MICROS_PER_DAY);
            case TIME -> (f, raw) -> toInstant(f, today(f) * CivilCalendar.MICROS_PER_DAY + raw);
            default -> DatetimeCasts::toInstant;
          };
    };
  }

  private static Expression call(
      ColumnType target, LongFunctionCall.Body body, Expression operand) {
    return new LongFunctionCall(CastSupport.name(target), target, body, operand);
  }

  private static Expression convert(ColumnType target, Expression operand, Conversion conversion) {
    long unit = FractionalSeconds.unit(target);
    boolean usesFrame =
        target.kind() == Kind.TIMESTAMP_LTZ
            || operand.type().kind() == Kind.TIME
            || operand.type().kind() == Kind.TIMESTAMP_LTZ;
    LongFunctionCall.Body body =
        (f, a) -> {
          long raw = a[0].evalLong(f);
          return f.isNull ? 0 : FractionalSeconds.round(target, conversion.convert(f, raw), unit);
        };
    return usesFrame
        ? new VolatileExpression(call(target, body, operand))
        : call(target, body, operand);
  }

  private static long parse(ColumnType target, Frame frame, Expression operand) {
    String text = (String) operand.evalObject(frame);
    if (text == null) {
      return frame.nullLong();
    }
    long raw =
        target.kind() == Kind.TIMESTAMP_LTZ
            ? DatetimeText.parseInstant(text, frame.zone())
            : DatetimeText.parse(target.kind(), text);
    return FractionalSeconds.round(target, raw, FractionalSeconds.unit(target));
  }

  /** Returns the current day in the frame's zone, in days since 1970-01-01. */
  static long today(Frame frame) {
    return Math.floorDiv(toLocal(frame, frame.statementMicros()), CivilCalendar.MICROS_PER_DAY);
  }

  /** Converts microseconds since the epoch to the local time line of the frame's zone. */
  static long toLocal(Frame frame, long epochMicros) {
    return DatetimeText.toLocal(frame.zone(), epochMicros);
  }

  /**
   * Converts microseconds on the local time line of the frame's zone to microseconds since the
   * epoch.
   */
  static long toInstant(Frame frame, long localMicros) {
    return DatetimeText.toInstant(frame.zone(), localMicros);
  }
}
