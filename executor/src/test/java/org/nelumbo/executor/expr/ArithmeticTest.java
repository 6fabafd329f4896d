package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.expr.ExpressionFixture.assertFails;
import static org.nelumbo.executor.expr.ExpressionFixture.assertShows;
import static org.nelumbo.executor.expr.ExpressionFixture.bigint;
import static org.nelumbo.executor.expr.ExpressionFixture.dbl;
import static org.nelumbo.executor.expr.ExpressionFixture.dec;
import static org.nelumbo.executor.expr.ExpressionFixture.integer;
import static org.nelumbo.executor.expr.ExpressionFixture.real;
import static org.nelumbo.executor.expr.ExpressionFixture.show;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class ArithmeticTest {
  private static BigInteger integerResult(ArithmeticOp op, long a, long b) {
    BigInteger x = BigInteger.valueOf(a);
    BigInteger y = BigInteger.valueOf(b);
    return switch (op) {
      case PLUS -> x.add(y);
      case MINUS -> x.subtract(y);
      case TIMES -> x.multiply(y);
      case DIVIDE -> x.divide(y);
      case MOD -> x.remainder(y);
    };
  }

  private static String outcome(Expression expression) {
    try {
      return show(expression);
    } catch (NelumboException e) {
      return e.code().name();
    }
  }

  @Property(seed = "1")
  void shouldComputeBigintsExactlyOrFail(@ForAll ArithmeticOp op, @ForAll long a, @ForAll long b) {
    String expected;
    if (b == 0 && (op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MOD)) {
      expected = ErrorCode.DIVISION_BY_ZERO.name();
    } else {
      BigInteger exact = integerResult(op, a, b);
      expected = exact.bitLength() > 63 ? ErrorCode.NUMBER_OUT_OF_RANGE.name() : exact.toString();
    }
    assertEquals(
        expected,
        outcome(NumericFunctions.arithmetic(op, ExpressionFixture.BIGINT, bigint(a), bigint(b))));
  }

  @Test
  void shouldCheckTheRangeOfSmallIntegers() {
    ColumnType tiny = ColumnType.of(Kind.TINYINT);
    assertShows(
        "127", NumericFunctions.arithmetic(ArithmeticOp.PLUS, tiny, integer(100), integer(27)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> NumericFunctions.arithmetic(ArithmeticOp.PLUS, tiny, integer(100), integer(28)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> NumericFunctions.negate(ExpressionFixture.INTEGER, integer(Integer.MIN_VALUE)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () ->
            NumericFunctions.arithmetic(
                ArithmeticOp.DIVIDE,
                ExpressionFixture.BIGINT,
                bigint(Long.MIN_VALUE),
                bigint(-1L)));
  }

  @Property(seed = "1", tries = 2000)
  void shouldComputeWithDecimalsExactlyAndRoundHalfUp(
      @ForAll ArithmeticOp op,
      @ForAll BigInteger a,
      @ForAll BigInteger b,
      @ForAll @IntRange(min = 1, max = 24) int p,
      @ForAll @IntRange(min = 1, max = 24) int q,
      @ForAll @IntRange(min = 0, max = 12) int s,
      @ForAll @IntRange(min = 0, max = 12) int t,
      @ForAll @IntRange(min = 1, max = 38) int precision,
      @ForAll boolean natural) {
    BigDecimal x = number(a, p, Math.min(s, p));
    BigDecimal y = number(b, q, Math.min(t, q));
    int scale = natural ? naturalScale(op, x.scale(), y.scale()) : s;
    ColumnType type = ColumnType.decimal(Math.max(precision, scale), scale);
    Expression result =
        NumericFunctions.arithmetic(
            op, type, dec(p, x.scale(), x.toPlainString()), dec(q, y.scale(), y.toPlainString()));
    assertEquals(expected(op, x, y, type), outcome(result));
  }

  private static int naturalScale(ArithmeticOp op, int s, int t) {
    return op == ArithmeticOp.TIMES ? s + t : Math.max(s, t);
  }

  private static BigDecimal number(BigInteger bits, int precision, int scale) {
    BigDecimal value = new BigDecimal(bits.mod(BigInteger.TEN.pow(precision)), scale);
    return bits.testBit(2) ? value.negate() : value;
  }

  private static String expected(ArithmeticOp op, BigDecimal x, BigDecimal y, ColumnType type) {
    if (y.signum() == 0 && (op == ArithmeticOp.DIVIDE || op == ArithmeticOp.MOD)) {
      return ErrorCode.DIVISION_BY_ZERO.name();
    }
    BigDecimal exact =
        switch (op) {
          case PLUS -> x.add(y);
          case MINUS -> x.subtract(y);
          case TIMES -> x.multiply(y);
          case DIVIDE -> x.divide(y, type.scale(), RoundingMode.HALF_UP);
          case MOD -> x.remainder(y);
        };
    BigDecimal rounded = exact.setScale(type.scale(), RoundingMode.HALF_UP);
    boolean fits =
        rounded.unscaledValue().abs().compareTo(BigInteger.TEN.pow(type.precision())) < 0;
    return fits ? rounded.toPlainString() : ErrorCode.NUMBER_OUT_OF_RANGE.name();
  }

  @Test
  void shouldMixTypes() {
    ColumnType money = ColumnType.decimal(14, 4);
    assertShows(
        "3.7500",
        NumericFunctions.arithmetic(ArithmeticOp.TIMES, money, integer(3), dec(5, 2, "1.25")));
    assertShows(
        "0.3333", NumericFunctions.arithmetic(ArithmeticOp.DIVIDE, money, integer(1), integer(3)));
    assertShows(
        "4.5",
        NumericFunctions.arithmetic(
            ArithmeticOp.PLUS, ExpressionFixture.DOUBLE, dbl(2.0), dec(5, 1, "2.5")));
    assertShows(
        "2",
        NumericFunctions.arithmetic(
            ArithmeticOp.MOD, ExpressionFixture.INTEGER, integer(17), integer(5)));
    assertShows(
        "-2",
        NumericFunctions.arithmetic(
            ArithmeticOp.MOD, ExpressionFixture.INTEGER, integer(-17), integer(5)));
  }

  @Test
  void shouldBeNullIfAnOperandIs() {
    for (ArithmeticOp op : ArithmeticOp.values()) {
      assertShows(
          "NULL",
          NumericFunctions.arithmetic(op, ExpressionFixture.INTEGER, integer(null), integer(0)));
      assertShows(
          "NULL",
          NumericFunctions.arithmetic(op, ExpressionFixture.INTEGER, integer(1), integer(null)));
      assertShows(
          "NULL", NumericFunctions.arithmetic(op, ExpressionFixture.DOUBLE, dbl(null), dbl(0.0)));
      ColumnType big = ColumnType.decimal(30, 2);
      assertShows("NULL", NumericFunctions.arithmetic(op, big, dec(25, 2, "1"), dec(25, 2, null)));
    }
  }

  @Test
  void shouldReportFloatingPointOverflowAndDivisionByZero() {
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () ->
            NumericFunctions.arithmetic(
                ArithmeticOp.TIMES, ExpressionFixture.DOUBLE, dbl(1e300), dbl(1e10)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () ->
            NumericFunctions.arithmetic(
                ArithmeticOp.TIMES, ExpressionFixture.REAL, real(1e30f), real(1e30f)));
    assertFails(
        ErrorCode.DIVISION_BY_ZERO,
        () ->
            NumericFunctions.arithmetic(
                ArithmeticOp.DIVIDE, ExpressionFixture.DOUBLE, dbl(1.0), dbl(0.0)));
  }

  @Test
  void shouldRound() {
    ColumnType type = ColumnType.decimal(10, 3);
    assertShows("2.350", NumericFunctions.round(type, dec(6, 3, "2.345"), integer(2)));
    assertShows("-2.350", NumericFunctions.round(type, dec(6, 3, "-2.345"), integer(2)));
    assertShows("3.000", NumericFunctions.round(type, dec(6, 3, "2.5"), null));
    assertShows(
        "1200", NumericFunctions.round(ExpressionFixture.INTEGER, integer(1150), integer(-2)));
    assertShows("2.340", NumericFunctions.truncate(type, dec(6, 3, "2.349"), integer(2)));
    assertShows("NULL", NumericFunctions.round(type, dec(6, 3, "2.5"), integer(null)));
    assertShows("1.24", NumericFunctions.round(ExpressionFixture.DOUBLE, dbl(1.235), integer(2)));
  }

  @Test
  void shouldComputeFloorCeilAbsAndSign() {
    assertShows("-3", NumericFunctions.floor(ColumnType.decimal(5, 0), dec(5, 2, "-2.01")));
    assertShows("-2", NumericFunctions.ceil(ColumnType.decimal(5, 0), dec(5, 2, "-2.99")));
    assertShows("2.0", NumericFunctions.floor(ExpressionFixture.DOUBLE, dbl(2.9)));
    assertShows("7", NumericFunctions.abs(ExpressionFixture.INTEGER, integer(-7)));
    assertShows("2.50", NumericFunctions.abs(ColumnType.decimal(5, 2), dec(5, 2, "-2.5")));
    assertShows("-1.00", NumericFunctions.sign(ColumnType.decimal(5, 2), dec(5, 2, "-2.5")));
    assertShows("0", NumericFunctions.sign(ExpressionFixture.INTEGER, integer(0)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> NumericFunctions.abs(ExpressionFixture.INTEGER, integer(Integer.MIN_VALUE)));
  }

  @Test
  void shouldComputePowersRootsAndLogarithms() {
    assertShows(
        "1024.0", NumericFunctions.power(ExpressionFixture.DOUBLE, integer(2), integer(10)));
    assertShows("1.5", NumericFunctions.sqrt(ExpressionFixture.DOUBLE, dec(5, 2, "2.25")));
    assertShows("1.0", NumericFunctions.exp(ExpressionFixture.DOUBLE, integer(0)));
    assertShows("0.0", NumericFunctions.ln(ExpressionFixture.DOUBLE, integer(1)));
    assertShows("3.0", NumericFunctions.log10(ExpressionFixture.DOUBLE, integer(1000)));
    assertShows("NULL", NumericFunctions.sqrt(ExpressionFixture.DOUBLE, dbl(null)));
    assertFails(
        ErrorCode.BAD_LOGARITHM, () -> NumericFunctions.ln(ExpressionFixture.DOUBLE, integer(0)));
    assertFails(
        ErrorCode.BAD_POWER, () -> NumericFunctions.sqrt(ExpressionFixture.DOUBLE, integer(-1)));
    assertFails(
        ErrorCode.BAD_POWER,
        () -> NumericFunctions.power(ExpressionFixture.DOUBLE, integer(0), integer(-1)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> NumericFunctions.exp(ExpressionFixture.DOUBLE, integer(1000)));
  }
}
