package org.nelumbo.jdbc.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.SQLException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DecimalRoundingTest {
  private static final BigDecimal HUGE = new BigDecimal("1e999999999");
  private static final BigDecimal TINY = new BigDecimal("1e-999999999");

  @Property(seed = "1")
  void shouldRoundAndTruncateAsBigDecimalDoes(
      @ForAll BigInteger digits,
      @ForAll @IntRange(min = -40, max = 40) int scale,
      @ForAll @IntRange(min = -30, max = 30) int wanted)
      throws SQLException {
    BigDecimal value = new BigDecimal(digits, scale);
    assertEquals(
        value.setScale(wanted, RoundingMode.HALF_UP), DecimalRounding.scaled(value, wanted));
    assertEquals(value.toBigInteger(), DecimalRounding.truncate(value));
    assertEquals(value.toPlainString(), DecimalRounding.text(value));
    if (value.toBigInteger().bitLength() < 64) {
      assertEquals(value.longValue(), DecimalRounding.truncateToLong(value));
    } else {
      assertThrows(SQLException.class, () -> DecimalRounding.truncateToLong(value));
    }
  }

  /** In plain notation these numbers have more digits than the heap has bytes. */
  @Test
  void shouldNotExpandHugeExponents() throws SQLException {
    assertTrue(DecimalRounding.isHuge(HUGE));
    assertThrows(SQLException.class, () -> DecimalRounding.scaled(HUGE, 2));
    assertThrows(SQLException.class, () -> DecimalRounding.truncate(HUGE));
    assertThrows(SQLException.class, () -> DecimalRounding.truncateToLong(HUGE));
    assertThrows(
        SQLException.class, () -> DecimalRounding.scaled(BigDecimal.ONE, Integer.MIN_VALUE));
    assertEquals("1E+999999999", DecimalRounding.text(HUGE));
    assertEquals(new BigDecimal("0.00"), DecimalRounding.scaled(TINY, 2));
    assertEquals(0, DecimalRounding.truncateToLong(TINY));
    BigDecimal zero = new BigDecimal(BigInteger.ZERO, Integer.MIN_VALUE);
    assertEquals(new BigDecimal("0.0"), DecimalRounding.scaled(zero, 1));
  }
}
