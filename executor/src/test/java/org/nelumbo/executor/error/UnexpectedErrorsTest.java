package org.nelumbo.executor.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

class UnexpectedErrorsTest {
  private static void assertBecomes(ErrorCode code, String advice, Throwable thrown) {
    NelumboException error = UnexpectedErrors.of(thrown);
    assertEquals(code, error.code());
    assertTrue(error.getMessage().contains(advice), error::getMessage);
    assertSame(thrown, error.getCause());
    assertTrue(code.endsTransaction());
  }

  @Test
  void shouldMapThrowablesToErrorsWithAdvice() {
    assertBecomes(ErrorCode.HEAP_EXHAUSTED, "-Xmx", new OutOfMemoryError("Java heap space"));
    assertBecomes(
        ErrorCode.DATA_CORRUPTED, "outside the pool", new OutsidePoolException(1L << 47, 8, 1));
    assertBecomes(ErrorCode.STACK_EXHAUSTED, "-Xss", new StackOverflowError());
    assertBecomes(
        ErrorCode.HEAP_EXHAUSTED,
        "restart the JVM",
        new NoClassDefFoundError("Could not initialize class Static"));
    assertBecomes(ErrorCode.INTERNAL, "please report", new ArrayIndexOutOfBoundsException(7));
    assertBecomes(ErrorCode.INTERNAL, "please report", new AssertionError("a bug"));
    assertBecomes(
        ErrorCode.CONNECTION_LOST,
        "completely or not at all",
        new FabricException(1, "gone", null));
  }

  @Test
  void shouldReturnNelumboExceptionUnchanged() {
    NelumboException known = new NelumboException(ErrorCode.DIVISION_BY_ZERO, "division by zero");
    assertSame(known, UnexpectedErrors.of(known));
  }
}
