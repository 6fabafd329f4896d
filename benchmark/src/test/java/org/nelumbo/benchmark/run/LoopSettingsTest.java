package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoopSettingsTest {
  private final LoopSettings all =
      new LoopSettings(
          7,
          Warmup.fixed(Duration.ZERO),
          Duration.ofSeconds(1),
          Optional.of(new OfferedRate(70, Arrivals.POISSON)),
          1,
          true,
          Duration.ofSeconds(1),
          5);

  @Test
  void shouldSplitTerminalsAndRateAmongProcesses() {
    int next = 0;
    double rate = 0;
    for (int part = 0; part < 3; part++) {
      LoopSettings own = all.part(part, 3);
      assertEquals(next, own.firstTerminal());
      next += own.terminals();
      rate += own.rate().orElseThrow().perSecond();
    }
    assertEquals(7, next);
    assertEquals(70, rate, 1e-9);
  }

  @Test
  void shouldKeepSettingsForSingleProcess() {
    assertEquals(all, all.part(0, 1));
  }
}
