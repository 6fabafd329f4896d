package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Tests lock words with Lincheck. Its model checker switches threads at every memory access, not
 * only at the steps of {@link LockTableInterleavingTest}, and its stress test uses real threads.
 */
class LockTableLincheckTest {
  private static ModelCheckingOptions model() {
    return new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(3)
        .invocationsPerIteration(100);
  }

  @Test
  void shouldPreserveExclusionUnderModelChecking() {
    model().check(LockVisits.class);
  }

  @Test
  void shouldDetectNonAtomicCompareAndSet() {
    ModelCheckingOptions one =
        model()
            .actorsPerThread(1)
            .iterations(1)
            .invocationsPerIteration(2000)
            .minimizeFailedScenario(false);
    assertThrows(AssertionError.class, () -> one.check(LockVisits.Torn.class));
  }

  @Test
  void shouldPreserveExclusionUnderStress() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .iterations(5)
        .invocationsPerIteration(1000)
        .check(LockVisits.class);
  }
}
