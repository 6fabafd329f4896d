package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeparatedValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'a','b'|a,b",
        "'','b c'|\"\",b c",
        "'it''s','''','\"'|it's,',\"\"\"\"",
        "'a,b',' c'|\"a,b\",\" c\"",
        "''|\"\"",
      })
  void shouldQuoteValuesOnlyIfNeeded(String line, String expected) {
    assertEquals(expected, SeparatedValues.of(line, '\'', ","));
  }

  @Test
  void shouldWriteNullAsEmptyField() {
    char mark = SeparatedValues.MARK;
    String quotedNull = "" + mark + mark + mark + mark;
    String line = quotedNull + ";" + mark + 1 + mark + ";" + quotedNull;
    assertEquals(";1;", SeparatedValues.of(line, mark, ";"));
  }
}
