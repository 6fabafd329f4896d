package org.nelumbo.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NelumboExceptionTest {
  /** Filling in a stack trace takes ten times as long as finding the duplicate. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "SERIALIZATION_FAILURE",
        "UNIQUE_VIOLATION",
        "FOREIGN_KEY_VIOLATION",
        "NOT_NULL_VIOLATION",
        "CHECK_VIOLATION"
      })
  void shouldOmitStackTraceOfExpectedErrors(ErrorCode code) {
    assertEquals(0, new NelumboException(code, "as expected").getStackTrace().length);
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERNAL", "SYNTAX_ERROR", "OUT_OF_MEMORY"})
  void shouldRecordStackTraceOfOtherErrors(ErrorCode code) {
    assertTrue(new NelumboException(code, "unexpected").getStackTrace().length > 0);
  }
}
