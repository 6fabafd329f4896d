package org.nelumbo.executor.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

class CriticalSectionTest {
  private final FailStop failStop = new FailStop(_ -> {});
  private final CriticalSection critical = new CriticalSection(failStop);

  @Test
  void shouldNotStopAfterCompletedSections() {
    critical.begin();
    critical.begin();
    critical.end();
    critical.end();
    critical.check();
    assertFalse(failStop.isStopped());
  }

  /** The stack overflows at the end of the step and again in its handler. */
  @Test
  void shouldStopTheEngineThoughTheHandlerWasEndedAsWell() {
    critical.begin();
    assertFalse(failStop.isStopped());
    critical.check();
    assertTrue(failStop.isStopped());
    NelumboException e = assertThrows(NelumboException.class, failStop::check);
    assertEquals(ErrorCode.CONNECTION_LOST, e.code());
  }

  @Test
  void shouldNotStopOnFabricException() {
    critical.begin();
    FabricException lost = new FabricException("gone", null);
    assertEquals(lost, critical.failed(lost));
    critical.check();
    assertFalse(failStop.isStopped());
  }
}
