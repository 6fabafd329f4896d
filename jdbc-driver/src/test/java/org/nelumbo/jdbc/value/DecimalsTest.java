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

class DecimalsTest {
  private static final BigDecimal HUGE = new BigDecimal("1e999999999");
  private static final BigDecimal TINY = new BigDecimal("1e-999999999");

  @Property(seed = "1")
  void shouldRoundAndTruncateAsBigDecimalDoes(
      @ForAll BigInteger digits,
      @ForAll @IntRange(min = -40, max = 40) int scale,
      @ForAll @IntRange(min = -30, max = 30) int wanted)
      throws SQLException {
    BigDecimal value = new BigDecimal(digits, scale);
    assertEquals(value.setScale(wanted, RoundingMode.HALF_UP), Decimals.scaled(value, wanted));
    assertEquals(value.toBigInteger(), Decimals.truncate(value));
    assertEquals(value.toPlainString(), Decimals.text(value));
    if (value.toBigInteger().bitLength() < 64) {
      assertEquals(value.longValue(), Decimals.truncateToLong(value));
    } else {
      assertThrows(SQLException.class, () -> Decimals.truncateToLong(value));
    }
  }

  /** Written out, these numbers have more digits than the heap has bytes. */
  @Test
  void shouldNotWriteOutWhatIsTooLong() throws SQLException {
    assertTrue(Decimals.isHuge(HUGE));
    assertThrows(SQLException.class, () -> Decimals.scaled(HUGE, 2));
    assertThrows(SQLException.class, () -> Decimals.truncate(HUGE));
    assertThrows(SQLException.class, () -> Decimals.truncateToLong(HUGE));
    assertThrows(SQLException.class, () -> Decimals.scaled(BigDecimal.ONE, Integer.MIN_VALUE));
    assertEquals("1E+999999999", Decimals.text(HUGE));
    assertEquals(new BigDecimal("0.00"), Decimals.scaled(TINY, 2));
    assertEquals(0, Decimals.truncateToLong(TINY));
    BigDecimal zero = new BigDecimal(BigInteger.ZERO, Integer.MIN_VALUE);
    assertEquals(new BigDecimal("0.0"), Decimals.scaled(zero, 1));
  }
}
