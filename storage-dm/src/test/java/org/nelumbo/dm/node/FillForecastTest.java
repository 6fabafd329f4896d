package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FillForecastTest {
  private static final long SECOND = 1_000_000_000L;
  private final FillForecast forecast = new FillForecast(1_000);

  @Test
  void shouldTellWhenItIsFullFromHowItGrew() {
    assertEquals(FillForecast.NEVER, forecast.secondsUntilFull());
    forecast.sample(0, 100);
    forecast.sample(10 * SECOND, 100);
    assertEquals(FillForecast.NEVER, forecast.secondsUntilFull());
    forecast.sample(20 * SECOND, 300);
    assertEquals(70, forecast.secondsUntilFull(), 1e-6);
    forecast.sample(30 * SECOND, 1_000);
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
