package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardRangesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | 7",
        "0-4095 | 0-4095",
        "0-4094/2 | 0-4094/2",
        "1,2,3,5,7,9 | 1-3,5-9/2",
        "4,8 | 4,8",
        "16-31,7 | 7,16-31",
        "0-9/4,8-20/4 | 0-20/4"
      })
  void shouldFormatParsedRanges(String read, String written) {
    assertEquals(written, ShardRanges.text(ShardRanges.parse(read)));
  }

  @Test
  void shouldFormatEmptySetAsEmptyText() {
    assertEquals("", ShardRanges.text(new BitSet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "4096", "9-7", "1-", "-1", "0-9/0", "1,,2", "0-99999"})
  void shouldRejectInvalidRanges(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ShardRanges.parse(text));
    String wrong = text.equals("1,,2") ? "" : text;
    assertTrue(
        e.getMessage().startsWith("'" + wrong + "' is not a range of shards"), e.getMessage());
  }
}
