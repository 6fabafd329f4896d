package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Asserts the errors that statements are expected to fail with. */
public final class Failures {
  private Failures() {}

  public static void assertFails(ErrorCode code, Runnable statement) {
    assertFails(code, "", statement);
  }

  /** Asserts an error whose message contains a text. */
  public static void assertFails(ErrorCode code, String part, Runnable statement) {
    NelumboException failure = assertThrows(NelumboException.class, statement::run);
    assertEquals(code, failure.code(), failure::getMessage);
    assertTrue(failure.getMessage().contains(part), failure::getMessage);
  }

  /** Asserts a conflict with another transaction. */
  public static void assertConflict(Runnable statement) {
    assertFails(ErrorCode.SERIALIZATION_FAILURE, statement);
  }
}
