package org.nelumbo.executor.timestamp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the order of ticket and draw with Lincheck: no other thread of the simulator runs between
 * the two.
 */
class TicketsLincheckTest {
  /** The scan of the tickets is no endless loop. */
  private static final int ITERATIONS_MAX = 1000;

  private static ModelCheckingOptions model() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(5)
        .invocationsPerIteration(100)
        .loopIterationsBeforeThreadSwitch(ITERATIONS_MAX)
        .loopBound(ITERATIONS_MAX)
        .minimizeFailedScenario(false);
  }

  @Test
  void shouldPublishNoCommitWithoutItsCells() {
    model().check(TicketDraws.class);
  }

  @ParameterizedTest
  @ValueSource(classes = {TicketDraws.DrawnFirst.class, TicketDraws.ReadLast.class})
  void shouldDetectAnotherOrder(Class<? extends TicketDraws> unordered) {
    ModelCheckingOptions one = model().iterations(50).invocationsPerIteration(3000);
    AssertionError found = assertThrows(AssertionError.class, () -> one.check(unordered));
    assertTrue(found.getMessage().contains("Invalid execution results"), found::getMessage);
  }

  @Test
  void shouldPublishNoCommitWithoutItsCellsUnderStress() {
    new StressOptions()
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(3)
        .invocationsPerIteration(1000)
        .check(TicketDraws.class);
  }
}
