package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** With what statements are expected to fail. */
public final class Failures {
  private Failures() {}

  public static void assertFails(ErrorCode code, Runnable statement) {
    NelumboException failure = assertThrows(NelumboException.class, statement::run);
    assertEquals(code, failure.code(), failure::getMessage);
  }

  /** Another transaction stands in the way. */
  public static void assertConflict(Runnable statement) {
    assertFails(ErrorCode.SERIALIZATION_FAILURE, statement);
  }
}
