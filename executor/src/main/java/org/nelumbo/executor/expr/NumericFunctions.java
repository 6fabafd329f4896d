package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/**
 * Creates arithmetic and numeric functions. The planner determines the result type, except for its
 * nullability; operands may be numbers of any type. Overflow fails with 22003, division by zero
 * with 22012; results never wrap or become infinite silently.
 */
public final class NumericFunctions {
  private NumericFunctions() {}

  /**
   * Creates {@code left op right}. Integer division truncates; DECIMAL results are rounded half up.
   */
  public static Expression arithmetic(
      ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    if (type.kind().isFloating()) {
      return FunctionSupport.fold(
          new DoubleArithmetic(op, type, Casts.toDouble(left), Casts.toDouble(right)));
    }
    boolean floating = left.type().kind().isFloating() || right.type().kind().isFloating();
    if (floating) {
      ColumnType wide = ColumnType.of(Kind.DOUBLE);
      return Casts.cast(type, arithmetic(op, wide, left, right));
    }
    return FunctionSupport.fold(exact(op, type, left, right));
  }

  private static Expression exact(
      ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    ColumnType a = left.type();
    ColumnType b = right.type();
    boolean integers = a.kind().isInteger() && b.kind().isInteger();
    if (integers && type.kind().isInteger()) {
      return new LongArithmetic(op, type, left, right);
    } else if (type.kind().isInteger()) {
      ColumnType exact =
          a.kind() == Kind.NUMERIC || b.kind() == Kind.NUMERIC
              ? ColumnType.of(Kind.NUMERIC)
              : wide(op == ArithmeticOp.DIVIDE ? 0 : Math.max(a.scale(), b.scale()));
      return Casts.cast(type, new BigArithmetic(op, exact, left, right));
    }
    if (!type.isLong() || !a.isLong() || !b.isLong()) {
      return new BigArithmetic(op, type, left, right);
    }
    return exactLong(op, type, left, right);
  }

  private static ColumnType wide(int scale) {
    return ColumnType.decimal(ColumnType.MAX_DECIMAL_PRECISION, scale);
  }

  private static ColumnType wide(ColumnType type) {
    return type.kind() == Kind.NUMERIC ? type : wide(type.scale());
  }

  private static Expression exactLong(
      ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    int a = left.type().scale();
    int b = right.type().scale();
    boolean direct =
        switch (op) {
          case PLUS, MINUS, MOD -> type.scale() == Math.max(a, b);
          case TIMES -> type.scale() == a + b;
          case DIVIDE -> false;
        };
    if (direct && op == ArithmeticOp.TIMES) {
      return new LongArithmetic(op, type, left, right);
    } else if (direct && canScale(left, type) && canScale(right, type)) {
      return new LongArithmetic(op, type, scaled(left, type), scaled(right, type));
    }
    return new BigArithmetic(op, type, left, right);
  }

  private static boolean canScale(Expression operand, ColumnType type) {
    int more = type.scale() - operand.type().scale();
    return more == 0 || ExactNumbers.digits(operand.type()) + more <= ColumnType.MAX_LONG_PRECISION;
  }

  private static Expression scaled(Expression operand, ColumnType type) {
    int more = type.scale() - operand.type().scale();
    if (more == 0) {
      return operand;
    }
    long factor = Decimals.power(more);
    ColumnType wide =
        ColumnType.decimal(ColumnType.MAX_LONG_PRECISION, type.scale())
            .withNullable(operand.type().nullable());
    return FunctionSupport.fold(
        new LongFunctionCall("%", wide, (f, a) -> a[0].evalLong(f) * factor, operand));
  }

  /** Creates {@code -operand}. */
  public static Expression negate(ColumnType type, Expression operand) {
    ColumnType from = operand.type();
    if (from.kind().isFloating()) {
      return floating("-%", type, x -> -x, operand);
    }
    Expression zero =
        from.isLong()
            ? Expressions.literal(from.withNullable(false), 0L)
            : Expressions.literal(from.withNullable(false), BigDecimal.valueOf(0, from.scale()));
    return arithmetic(ArithmeticOp.MINUS, type, zero, operand);
  }

  /** Creates ABS. */
  public static Expression abs(ColumnType type, Expression operand) {
    if (operand.type().kind().isFloating()) {
      return floating("ABS", type, Math::abs, operand);
    }
    return exactUnary("ABS", type, BigDecimal::abs, operand);
  }

  /** Creates SIGN: -1, 0 or 1. */
  public static Expression sign(ColumnType type, Expression operand) {
    if (operand.type().kind().isFloating()) {
      return floating("SIGN", type, Math::signum, operand);
    }
    return exactUnary("SIGN", type, x -> BigDecimal.valueOf(x.signum()), operand);
  }

  /** Creates FLOOR to an integer. */
  public static Expression floor(ColumnType type, Expression operand) {
    if (operand.type().kind().isFloating()) {
      return floating("FLOOR", type, Math::floor, operand);
    }
    return exactUnary("FLOOR", type, x -> x.setScale(0, RoundingMode.FLOOR), operand);
  }

  /** Creates CEIL to an integer. */
  public static Expression ceil(ColumnType type, Expression operand) {
    if (operand.type().kind().isFloating()) {
      return floating("CEIL", type, Math::ceil, operand);
    }
    return exactUnary("CEIL", type, x -> x.setScale(0, RoundingMode.CEILING), operand);
  }

  /**
   * Creates ROUND, half up, to {@code digits} after the point (negative: before it).
   *
   * @param digits number of digits, or null for 0
   */
  public static Expression round(ColumnType type, Expression operand, Expression digits) {
    return toDigits("ROUND", type, RoundingMode.HALF_UP, operand, digits);
  }

  /**
   * Creates TRUNCATE, towards zero, to {@code digits} after the point.
   *
   * @param digits number of digits, or null for 0
   */
  public static Expression truncate(ColumnType type, Expression operand, Expression digits) {
    return toDigits("TRUNCATE", type, RoundingMode.DOWN, operand, digits);
  }

  private static Expression toDigits(
      String name, ColumnType type, RoundingMode mode, Expression given, Expression digits) {
    Expression operand =
        given.type().kind().isCharacter() ? Casts.cast(ColumnType.of(Kind.DOUBLE), given) : given;
    Expression decimals =
        digits == null
            ? Expressions.literal(ColumnType.of(Kind.INTEGER), 0L)
            : Casts.cast(ColumnType.of(Kind.BIGINT), digits);
    if (operand.type().kind().isFloating()) {
      return Casts.cast(
          type,
          FunctionSupport.fold(
              new LongFunctionCall(
                  name,
                  nullable(ColumnType.of(Kind.DOUBLE), operand, decimals),
                  (f, a) -> roundDouble(mode, f, a),
                  operand,
                  decimals)));
    }
    ColumnType wide = wide(operand.type());
    return Casts.cast(
        type,
        FunctionSupport.fold(
            new ObjectFunctionCall(
                name,
                nullable(wide, operand, decimals),
                (f, a) -> roundBig(wide, mode, f, a),
                operand,
                decimals)));
  }

  private static long roundDouble(RoundingMode mode, Frame frame, Expression[] arguments) {
    long raw = arguments[0].evalLong(frame);
    double value = Double.longBitsToDouble(raw);
    if (frame.isNull) {
      return 0;
    }
    long digits = arguments[1].evalLong(frame);
    if (frame.isNull || !Double.isFinite(value) || digits > 340) {
      return raw;
    }
    int scale = (int) Math.max(-340, digits);
    return Double.doubleToRawLongBits(
        BigDecimal.valueOf(value).setScale(scale, mode).doubleValue());
  }

  private static Object roundBig(
      ColumnType wide, RoundingMode mode, Frame frame, Expression[] arguments) {
    BigDecimal value = ExactNumbers.big(arguments[0], frame);
    if (value == null) {
      return null;
    }
    long digits = arguments[1].evalLong(frame);
    if (frame.takeNull()) {
      return null;
    }
    int scale = (int) Math.max(-Decimals.NUMERIC_DIGITS - 1, Math.min(digits, value.scale()));
    return ExactNumbers.fit(wide, value.setScale(scale, mode));
  }

  /** Creates POWER, whose DOUBLE result is cast to {@code type}. */
  public static Expression power(ColumnType type, Expression base, Expression exponent) {
    return floating2("POWER", type, NumericFunctions::checkedPower, base, exponent);
  }

  private static double checkedPower(double base, double exponent) {
    boolean undefined =
        (base == 0 && exponent < 0) || (base < 0 && exponent != Math.rint(exponent));
    if (undefined) {
      throw new NelumboException(
          ErrorCode.BAD_POWER, "POWER is undefined base=" + base + " exponent=" + exponent);
    }
    return Math.pow(base, exponent);
  }

  /** Creates ATAN2. */
  public static Expression atan2(ColumnType type, Expression y, Expression x) {
    return floating2("ATAN2", type, Math::atan2, y, x);
  }

  /** Creates SQRT. */
  public static Expression sqrt(ColumnType type, Expression operand) {
    return floating(
        "SQRT",
        type,
        x -> {
          if (x < 0) {
            throw new NelumboException(
                ErrorCode.BAD_POWER, "square root of a negative number value=" + x);
          }
          return Math.sqrt(x);
        },
        operand);
  }

  /** Creates EXP. */
  public static Expression exp(ColumnType type, Expression operand) {
    return floating("EXP", type, Math::exp, operand);
  }

  /** Creates LN. */
  public static Expression ln(ColumnType type, Expression operand) {
    return floating("LN", type, x -> Math.log(positive(x)), operand);
  }

  /** Creates LOG10. */
  public static Expression log10(ColumnType type, Expression operand) {
    return floating("LOG10", type, x -> Math.log10(positive(x)), operand);
  }

  private static double positive(double value) {
    if (value <= 0) {
      throw new NelumboException(
          ErrorCode.BAD_LOGARITHM, "logarithm of a number that is not positive value=" + value);
    }
    return value;
  }

  /** Creates any other function of one DOUBLE, such as sine, cosine and degrees. */
  public static Expression floating(
      String name, ColumnType type, DoubleUnaryOperator function, Expression operand) {
    Expression value = Casts.toDouble(operand);
    ColumnType wide = nullable(ColumnType.of(Kind.DOUBLE), value);
    return Casts.cast(
        type,
        FunctionSupport.fold(
            new LongFunctionCall(
                name,
                wide,
                (f, a) -> {
                  double x = Double.longBitsToDouble(a[0].evalLong(f));
                  return f.isNull ? 0 : finite(function.applyAsDouble(x), Double.isFinite(x));
                },
                value)));
  }

  private static Expression floating2(
      String name,
      ColumnType type,
      DoubleBinaryOperator function,
      Expression left,
      Expression right) {
    Expression first = Casts.toDouble(left);
    Expression second = Casts.toDouble(right);
    ColumnType wide = nullable(ColumnType.of(Kind.DOUBLE), first, second);
    LongFunctionCall.Body body =
        (f, a) -> {
          double x = Double.longBitsToDouble(a[0].evalLong(f));
          if (f.isNull) {
            return 0;
          }
          double y = Double.longBitsToDouble(a[1].evalLong(f));
          boolean checked = Double.isFinite(x) && Double.isFinite(y);
          return f.isNull ? 0 : finite(function.applyAsDouble(x, y), checked);
        };
    return Casts.cast(
        type, FunctionSupport.fold(new LongFunctionCall(name, wide, body, first, second)));
  }

  private static long finite(double result, boolean operandsFinite) {
    if (operandsFinite && !Double.isFinite(result)) {
      throw ExactNumbers.outOfRange(ColumnType.of(Kind.DOUBLE));
    }
    return Double.doubleToRawLongBits(result);
  }

  private static Expression exactUnary(
      String name, ColumnType type, UnaryOperator<BigDecimal> function, Expression operand) {
    ColumnType wide = nullable(wide(operand.type()), operand);
    ObjectFunctionCall.Body body =
        (f, a) -> {
          BigDecimal value = ExactNumbers.big(a[0], f);
          return value == null ? null : ExactNumbers.fit(wide, function.apply(value));
        };
    return Casts.cast(
        type, FunctionSupport.fold(new ObjectFunctionCall(name, wide, body, operand)));
  }

  static ColumnType nullable(ColumnType type, Expression... operands) {
    return type.withNullable(FunctionSupport.anyNullable(operands));
  }
}
