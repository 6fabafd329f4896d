package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class FillForecastTest {
  private static final long SECOND = 1_000_000_000L;
  private final FillForecast forecast = new FillForecast(1_000);

  private void sampleTenMinutes(LongUnaryOperator takenAtSecond) {
    for (long second = 0; second <= 600; second += 10) {
      forecast.sample(second * SECOND, takenAtSecond.applyAsLong(second));
    }
  }

  @Test
  void shouldForecastFromTheGrowthOfTenMinutes() {
    assertEquals(FillForecast.NEVER, forecast.secondsUntilFull());
    sampleTenMinutes(second -> 100 + second);
    assertEquals(300, forecast.secondsUntilFull(), 1e-6);
  }

  @Test
  void shouldNotForecastFromTheFirstMinutesOfAPool() {
    forecast.sample(0, 0);
    for (int second = 10; second < 600; second += 10) {
      forecast.sample(second * SECOND, 100 + second);
      assertEquals(FillForecast.NEVER, forecast.secondsUntilFull());
    }
  }

  @Test
  void shouldNotForecastFromSingleLoad() {
    sampleTenMinutes(second -> second < 200 ? 0 : 500);
    assertEquals(FillForecast.NEVER, forecast.secondsUntilFull());
  }

  @Test
  void shouldForecastFromSlowerHalf() {
    sampleTenMinutes(second -> second < 300 ? second : 300 + (second - 300) / 3);
    assertEquals(1800, forecast.secondsUntilFull(), 1e-6);
  }

  @Test
  void shouldForecastAtOnceWhenItIsNearlyFull() {
    forecast.sample(0, 500);
    forecast.sample(10 * SECOND, 800);
    assertEquals(20 / 3.0, forecast.secondsUntilFull(), 1e-6);
    forecast.sample(20 * SECOND, 1_000);
    assertEquals(0, forecast.secondsUntilFull(), 1e-6);
  }

  @Test
  void shouldWarnOnceForEachThreshold() {
    assertFalse(forecast.sample(0, 799));
    assertTrue(forecast.sample(SECOND, 800));
    assertFalse(forecast.sample(2 * SECOND, 899));
    assertTrue(forecast.sample(3 * SECOND, 960));
    assertFalse(forecast.sample(4 * SECOND, 1_000));
    assertFalse(forecast.sample(5 * SECOND, 10));
    assertEquals(FillForecast.NEVER, forecast.secondsUntilFull());
    assertTrue(forecast.sample(6 * SECOND, 999));
  }
}
