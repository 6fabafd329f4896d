package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
  @ParameterizedTest
  @CsvSource({"10, 10000", "500ms, 500", "30s, 30000", "2m, 120000", "1h, 3600000"})
  void shouldReadUnits(String text, long millis) {
    assertEquals(millis, new DurationConverter().convert(text).toMillis());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1", "1.5s", "10 apples"})
  void shouldRejectInvalidDurations(String text) {
    assertThrows(TypeConversionException.class, () -> new DurationConverter().convert(text));
  }
}
