package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.expr.ExpressionFixture.assertShows;
import static org.nelumbo.executor.expr.ExpressionFixture.bigint;
import static org.nelumbo.executor.expr.ExpressionFixture.chars;
import static org.nelumbo.executor.expr.ExpressionFixture.date;
import static org.nelumbo.executor.expr.ExpressionFixture.dbl;
import static org.nelumbo.executor.expr.ExpressionFixture.dec;
import static org.nelumbo.executor.expr.ExpressionFixture.integer;
import static org.nelumbo.executor.expr.ExpressionFixture.real;
import static org.nelumbo.executor.expr.ExpressionFixture.show;
import static org.nelumbo.executor.expr.ExpressionFixture.text;
import static org.nelumbo.executor.expr.ExpressionFixture.timestamp;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class ComparisonTest {
  private static void assertOrder(int order, Expression left, Expression right) {
    for (CompareOp op : CompareOp.values()) {
      String expected = op.holds(order) ? "TRUE" : "FALSE";
      assertShows(expected, Expressions.compare(op, left, right));
      assertShows(expected, Expressions.compare(op.mirrored(), right, left));
    }
  }

  private static Expression decimal(BigInteger unscaled, int precision, int scale) {
    BigDecimal value = new BigDecimal(unscaled.mod(BigInteger.TEN.pow(precision)), scale);
    return dec(precision, scale, (unscaled.testBit(3) ? value.negate() : value).toPlainString());
  }

  private static BigDecimal number(Expression expression) {
    return new BigDecimal(show(expression));
  }

  @Property(seed = "1")
  void shouldCompareExactNumbersOfAnyTypeExactly(
      @ForAll BigInteger a,
      @ForAll BigInteger b,
      @ForAll @IntRange(min = 1, max = 38) int p,
      @ForAll @IntRange(min = 1, max = 38) int q,
      @ForAll @IntRange(min = 0, max = 38) int s,
      @ForAll @IntRange(min = 0, max = 38) int t) {
    Expression left = decimal(a, p, Math.min(p, s));
    Expression right = decimal(b, q, Math.min(q, t));
    assertOrder(number(left).compareTo(number(right)), left, right);
  }

  @Property(seed = "1")
  void shouldCompareIntegersWithDecimalsExactly(
      @ForAll long a, @ForAll long b, @ForAll @IntRange(min = 0, max = 18) int scale) {
    Expression left = bigint(a);
    Expression right = decimal(BigInteger.valueOf(b), 18, scale);
    assertOrder(number(left).compareTo(number(right)), left, right);
  }

  @Property(seed = "1")
  void shouldOrderTextByCodePoint(@ForAll String a, @ForAll String b) {
    String x = a.replaceAll("[\ud800-\udfff]", "\ud83d\ude00");
    String y = b.replaceAll("[\ud800-\udfff]", "\ud83d\ude01");
    int[] left = x.codePoints().toArray();
    int[] right = y.codePoints().toArray();
    int expected = Integer.signum(java.util.Arrays.compare(left, right));
    assertEquals(expected, Integer.signum(RawValueOrder.compareText(x, y)));
  }

  @Test
  void shouldOrderSupplementaryCharactersBehindTheBasicPlane() {
    assertOrder(1, text("\ud83d\ude00"), text("\uffee"));
  }

  @Test
  void shouldCompareFloatingNumbers() {
    assertOrder(0, dbl(0.0), dbl(-0.0));
    assertOrder(-1, dbl(1.5), integer(2));
    assertOrder(0, dbl(2.5), dec(5, 2, "2.5"));
    assertOrder(1, dbl(Double.NaN), dbl(Double.POSITIVE_INFINITY));
    assertOrder(0, dbl(Double.NaN), dbl(Double.NaN));
    assertOrder(1, real(0.1f), dbl(0.1));
  }

  @Test
  void shouldIgnoreTrailingBlanksOfChar() {
    assertOrder(0, chars(5, "ab   "), chars(2, "ab"));
    assertOrder(0, chars(5, "ab   "), text("ab"));
    assertOrder(-1, text("ab"), text("ab "));
    assertOrder(-1, chars(3, "ab "), chars(3, "abc"));
  }

  @Test
  void shouldCompareCharLiteralsWithVarcharAsVarchar() {
    Expression literal = Expressions.literal(ColumnType.of(Kind.CHAR, 3), "ab ");
    assertOrder(1, literal, text("ab"));
    assertOrder(0, literal, text("ab "));
    assertOrder(0, literal, chars(4, "ab  "));
  }

  @Test
  void shouldCompareDatesWithTimestamps() {
    assertOrder(0, date("2024-02-29"), timestamp("2024-02-29 00:00:00"));
    assertOrder(-1, date("2024-02-29"), timestamp("2024-02-29 00:00:00.000001"));
    assertOrder(1, date("1969-12-31"), timestamp("1969-12-30 23:59:59"));
  }

  @Test
  void shouldBeUnknownIfOneSideIsNull() {
    for (CompareOp op : CompareOp.values()) {
      assertShows("NULL", Expressions.compare(op, integer(null), integer(1)));
      assertShows("NULL", Expressions.compare(op, integer(1), integer(null)));
      assertShows("NULL", Expressions.compare(op, text(null), text("a")));
      assertShows("NULL", Expressions.compare(op, dec(30, 2, "1"), dec(30, 1, null)));
      assertShows("NULL", Expressions.compare(op, dec(10, 2, "1"), dec(9, 1, null)));
      assertShows("NULL", Expressions.compare(op, dbl(1.0), integer(null)));
    }
  }

  @Test
  void shouldRejectTypesThatCannotBeCompared() {
    ExpressionFixture.assertFails(
        ErrorCode.TYPE_MISMATCH, () -> Expressions.compare(CompareOp.EQ, integer(1), text("1")));
    ExpressionFixture.assertFails(
        ErrorCode.TYPE_MISMATCH,
        () ->
            Expressions.compare(
                CompareOp.EQ, ExpressionFixture.time("10:00:00"), date("2024-01-01")));
  }
}
