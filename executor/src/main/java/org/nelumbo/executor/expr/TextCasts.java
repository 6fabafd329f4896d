package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.UUID;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.BinaryText;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.IntervalText;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/** Casts to text and binary. */
final class TextCasts {
  private TextCasts() {}

  static Expression toText(ColumnType target, Expression operand, TextOverflow overflow) {
    ColumnType from = operand.type();
    if (from.kind().isCharacter()) {
      boolean same = from.kind() == target.kind() || target.kind() == Kind.VARCHAR;
      if (overflow == TextOverflow.KEEP
          || (same && from.kind() != Kind.CHAR && target.precision() >= from.precision())) {
        return new RelabelType(target, operand);
      }
      boolean unpads = from.kind() == Kind.CHAR && target.kind() == Kind.VARCHAR;
      return new ObjectFunctionCall(
          CastSupport.name(target),
          target,
          unpads ? (f, a) -> unpad(target, f, a[0]) : (f, a) -> fit(target, f, a[0]),
          operand);
    } else if (from.kind().isBinary()) {
      return null;
    }
    Expression text =
        new ObjectFunctionCall(
            CastSupport.name(target), target, (f, a) -> format(target, overflow, f, a[0]), operand);
    return from.kind() == Kind.TIMESTAMP_LTZ ? new VolatileExpression(text) : text;
  }

  private static Object fit(ColumnType target, Frame frame, Expression operand) {
    String text = (String) operand.evalObject(frame);
    return text == null ? null : fit(target, text);
  }

  /** The result equals the same values as the CHAR does, so a join may compare either of them. */
  private static Object unpad(ColumnType target, Frame frame, Expression operand) {
    String text = (String) operand.evalObject(frame);
    if (text == null) {
      return null;
    }
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return fit(target, text.substring(0, end));
  }

  /** Truncates text, or pads CHAR. */
  static String fit(ColumnType target, String text) {
    int most = target.precision();
    if (most == ColumnType.UNLIMITED) {
      return text;
    }
    int points = text.length() <= most ? text.length() : text.codePointCount(0, text.length());
    if (points > most) {
      return text.substring(0, text.offsetByCodePoints(0, most));
    }
    return target.kind() == Kind.CHAR ? pad(text, most) : text;
  }

  static String pad(String text, int width) {
    int missing = width - text.codePointCount(0, text.length());
    return missing <= 0 ? text : text + " ".repeat(missing);
  }

  private static Object format(
      ColumnType target, TextOverflow overflow, Frame frame, Expression operand) {
    String text = format(frame, operand);
    if (text == null) {
      return null;
    }
    if (overflow == TextOverflow.KEEP) {
      return text;
    } else if (text.length() > target.precision()) {
      throw new NelumboException(
          ErrorCode.STRING_TOO_LONG, "'" + text + "' is too long for " + target.sqlName());
    }
    return fit(target, text);
  }

  /** Formats any value except binary as text; returns null for NULL. */
  static String format(Frame frame, Expression operand) {
    ColumnType from = operand.type();
    if (!from.isLong()) {
      return switch (operand.evalObject(frame)) {
        case null -> null;
        case BigDecimal number -> number.toPlainString();
        case Object value -> value.toString();
      };
    }
    long value = operand.evalLong(frame);
    if (frame.takeNull()) {
      return null;
    }
    return from.kind() == Kind.TIMESTAMP_LTZ
        ? DatetimeText.formatInstant(value, frame.zone())
        : format(from, value);
  }

  private static String format(ColumnType type, long value) {
    return switch (type.kind()) {
      case BOOLEAN -> value != 0 ? "TRUE" : "FALSE";
      case REAL -> Float.toString((float) Double.longBitsToDouble(value));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(value));
      case DECIMAL -> BigDecimal.valueOf(value, type.scale()).toPlainString();
      case DATE, TIME, TIMESTAMP -> DatetimeText.format(type.kind(), value);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalText.format(type.kind(), value);
      default -> Long.toString(value);
    };
  }

  static Expression toBinary(ColumnType target, Expression operand, TextOverflow overflow) {
    Kind from = operand.type().kind();
    if (!from.isBinary() && !from.isCharacter() && from != Kind.UUID) {
      return null;
    }
    return new ObjectFunctionCall(
        CastSupport.name(target),
        target,
        (f, a) -> binary(target, overflow, a[0].evalObject(f)),
        operand);
  }

  private static Object binary(ColumnType target, TextOverflow overflow, Object value) {
    if (value == null) {
      return null;
    }
    byte[] bytes =
        switch (value) {
          case String text -> BinaryText.parse(target, text);
          case UUID uuid -> Uuids.bytes(uuid);
          default -> (byte[]) value;
        };
    int most = target.precision();
    boolean tooLong = bytes.length > most && overflow == TextOverflow.TRUNCATE;
    boolean tooShort =
        bytes.length < most && target.kind() == Kind.BINARY && most != ColumnType.UNLIMITED;
    return tooLong || tooShort ? Arrays.copyOf(bytes, most) : bytes;
  }
}
