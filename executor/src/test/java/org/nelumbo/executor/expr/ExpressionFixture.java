package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.Kind;

/**
 * Short names for expression tests. Operands are parameters of a frame rather than literals, so
 * that nothing is folded. {@link #show} also checks that all methods of evaluation agree and leave
 * the NULL flag clear.
 */
final class ExpressionFixture {
  static final ColumnType BOOLEAN = ColumnType.of(Kind.BOOLEAN).orNull();
  static final ColumnType INTEGER = ColumnType.of(Kind.INTEGER).orNull();
  static final ColumnType BIGINT = ColumnType.of(Kind.BIGINT).orNull();
  static final ColumnType DOUBLE = ColumnType.of(Kind.DOUBLE).orNull();
  static final ColumnType REAL = ColumnType.of(Kind.REAL).orNull();
  static final ColumnType TEXT = ColumnType.of(Kind.VARCHAR).orNull();
  static final ColumnType BYTES = ColumnType.of(Kind.VARBINARY).orNull();
  static final ColumnType DATE = ColumnType.of(Kind.DATE).orNull();
  static final ColumnType TIME = ColumnType.of(Kind.TIME).orNull();
  static final ColumnType TIMESTAMP = ColumnType.of(Kind.TIMESTAMP).orNull();
  static final ColumnType LTZ = ColumnType.of(Kind.TIMESTAMP_LTZ).orNull();

  private ExpressionFixture() {}

  /** Returns a value that the factories treat as a value of a row. */
  static Expression value(ColumnType type, Object raw) {
    Expression literal =
        raw == null
            ? Expressions.nullOf(type)
            : type.isLong()
                ? Expressions.literal(type, ((Number) raw).longValue())
                : Expressions.literal(type, raw);
    return new Opaque(type.orNull(), literal);
  }

  private static final class Opaque extends Expression {
    private final Expression literal;

    Opaque(ColumnType type, Expression literal) {
      super(type);
      this.literal = literal;
    }

    @Override
    public long evalLong(Frame frame) {
      assertFalse(frame.isNull, "NULL flag was set before an operand was evaluated");
      return literal.evalLong(frame);
    }

    @Override
    public Object evalObject(Frame frame) {
      assertFalse(frame.isNull, "NULL flag was set before an operand was evaluated");
      return literal.evalObject(frame);
    }

    @Override
    public String toString() {
      return literal.toString();
    }
  }

  static Expression bool(Boolean value) {
    return value(BOOLEAN, value == null ? null : value ? 1L : 0L);
  }

  static Expression integer(Integer value) {
    return value(INTEGER, value);
  }

  static Expression bigint(Long value) {
    return value(BIGINT, value);
  }

  static Expression dbl(Double value) {
    return value(DOUBLE, value == null ? null : Double.doubleToRawLongBits(value));
  }

  static Expression real(Float value) {
    return value(REAL, value == null ? null : Double.doubleToRawLongBits(value));
  }

  static Expression text(String value) {
    return value(TEXT, value);
  }

  static Expression chars(int width, String value) {
    return value(ColumnType.of(Kind.CHAR, width), value);
  }

  /** Returns a DECIMAL of the given precision and scale. */
  static Expression dec(int precision, int scale, String value) {
    ColumnType type = ColumnType.decimal(precision, scale);
    if (value == null) {
      return value(type, null);
    }
    BigDecimal number = new BigDecimal(value).setScale(scale);
    return type.isLong()
        ? value(type, number.unscaledValue().longValueExact())
        : value(type, number);
  }

  static Expression date(String value) {
    return value(DATE, value == null ? null : DatetimeText.parse(Kind.DATE, value));
  }

  static Expression time(String value) {
    return value(TIME, value == null ? null : DatetimeText.parse(Kind.TIME, value));
  }

  static Expression timestamp(String value) {
    return value(TIMESTAMP, value == null ? null : DatetimeText.parse(Kind.TIMESTAMP, value));
  }

  static Frame frame() {
    return new Frame(new FrameLayout(), NOON);
  }

  /** 2024-02-29 12:00:00 UTC. */
  static final long NOON_MICROS = 1_709_208_000_000_000L;

  private static final Environment NOON = new SteppingEnvironment(NOON_MICROS, Thread::yield);

  /** Returns the value as text; NULL is "NULL". */
  static String show(Expression expression) {
    return show(expression, frame());
  }

  static String show(Expression expression, Frame frame) {
    ColumnType type = expression.type();
    boolean isNull = expression.isNull(frame);
    assertFalse(frame.isNull, "isNull left the flag set");
    if (!type.isLong()) {
      Object value = expression.evalObject(frame);
      assertFalse(frame.isNull, "evalObject left the flag set");
      assertEquals(value == null, isNull);
      if (type.kind() == Kind.DECIMAL) {
        assertEquals(value, unscaled(expression, frame));
      }
      return value == null
          ? "NULL"
          : value instanceof byte[] bytes
              ? HexFormat.of().formatHex(bytes)
              : value instanceof BigDecimal big ? big.toPlainString() : value.toString();
    }
    long raw = expression.evalLong(frame);
    boolean wasNull = frame.takeNull();
    assertEquals(wasNull, isNull);
    if (type.kind() == Kind.BOOLEAN) {
      assertEquals(!wasNull && raw != 0, expression.isTrue(frame));
      assertFalse(frame.isNull, "isTrue left the flag set");
    }
    return wasNull ? "NULL" : show(type, raw);
  }

  /** Returns the value from {@link Expression#evalUnscaled}. */
  private static BigDecimal unscaled(Expression expression, Frame frame) {
    long number = expression.evalUnscaled(frame);
    if (frame.takeNull()) {
      return null;
    }
    BigDecimal wide = frame.takeWide();
    return wide != null ? wide : BigDecimal.valueOf(number, expression.type().scale());
  }

  private static String show(ColumnType type, long raw) {
    return switch (type.kind()) {
      case BOOLEAN -> raw != 0 ? "TRUE" : "FALSE";
      case REAL, DOUBLE -> Double.toString(Double.longBitsToDouble(raw));
      case DECIMAL -> BigDecimal.valueOf(raw, type.scale()).toPlainString();
      case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> DatetimeText.format(type.kind(), raw);
      default -> Long.toString(raw);
    };
  }

  static void assertShows(String expected, Expression expression) {
    assertEquals(expected, show(expression), expression::toString);
  }

  /** Asserts that creating or evaluating the expression fails. */
  static NelumboException assertFails(ErrorCode code, Supplier<Expression> expression) {
    NelumboException e =
        assertThrows(NelumboException.class, () -> show(expression.get(), frame()));
    assertEquals(code, e.code(), e.getMessage());
    return e;
  }

  static List<Expression> list(Expression... expressions) {
    return List.of(expressions);
  }
}
