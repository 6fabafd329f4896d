package org.nelumbo.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

class IntervalTextTest {
  @Property(seed = "1", tries = 300)
  void shouldParseFormattedIntervals(@ForAll long raw, @ForAll boolean months) {
    Kind kind = months ? Kind.INTERVAL_MONTHS : Kind.INTERVAL_MICROS;
    String text = IntervalText.format(kind, raw);
    assertEquals(raw, IntervalText.parse(kind, text), text);
  }

  @Test
  void shouldReadAndWriteLimits() {
    for (Kind kind : List.of(Kind.INTERVAL_MONTHS, Kind.INTERVAL_MICROS)) {
      for (long raw : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE}) {
        assertEquals(raw, IntervalText.parse(kind, IntervalText.format(kind, raw)));
      }
    }
  }

  @Test
  void shouldReadTheStandardPostgresAndIso() {
    long day = 86_400_000_000L;
    assertEquals(14, months("1-2"));
    assertEquals(-14, months("-1-2"));
    assertEquals(14, months("P1Y2M"));
    assertEquals(1218, months("1 century 1 year 6 mons"));
    assertEquals(18, months("1.5 years"));
    assertEquals(-6, months("@ 6 months ago"));
    assertEquals(7, months("7"));
    assertEquals(3 * day + 14_706_500_000L, micros("3 04:05:06.5"));
    assertEquals(-3 * day - 14_706_000_000L, micros("-3 04:05:06"));
    assertEquals(-3 * day + 3_600_000_000L, micros("-3 days 01:00"));
    assertEquals(day + 7_384_500_000L, micros("P1DT2H3M4.5S"));
    assertEquals(-day, micros("-P1D"));
    assertEquals(15 * day, micros("2w 1d"));
    assertEquals(5_400_000_000L, micros("1.5 hours"));
    assertEquals(90_000_000, micros("90"));
    assertEquals(1_002, micros("1ms 2us"));
    assertEquals(360_000_000_000L, micros("100:00:00"));
    assertEquals(1, micros("0.0000019 s"));
  }

  private static long months(String text) {
    return IntervalText.parse(Kind.INTERVAL_MONTHS, text);
  }

  private static long micros(String text) {
    return IntervalText.parse(Kind.INTERVAL_MICROS, text);
  }

  @Test
  void shouldRejectInvalidIntervals() {
    for (String text :
        List.of(
            "",
            " ",
            "-",
            "ago",
            "1 fortnight",
            "1 2 3",
            "1-12",
            "1:60",
            "1:2:60",
            "P",
            "PT",
            "P1",
            "P1H",
            "PT1D",
            "1 day,",
            "day",
            "0x1",
            "1e5 days",
            "--1 day",
            "3 4",
            "PT1H2")) {
      NelumboException e = assertThrows(NelumboException.class, () -> micros(text), text);
      assertEquals(ErrorCode.BAD_DATETIME, e.code(), text);
    }
    assertEquals(
        ErrorCode.DATETIME_OVERFLOW,
        assertThrows(NelumboException.class, () -> micros("999999999999999 weeks")).code());
    for (String text : List.of("1 day", "00:00:01", "0.5 months")) {
      assertThrows(NelumboException.class, () -> months(text), text);
    }
    assertTrue(
        assertThrows(NelumboException.class, () -> micros("1 month"))
            .getMessage()
            .contains("month"));
  }
}
