package org.nelumbo.benchmark.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.run.Timelines;

class RunLineTest {
  @Test
  void shouldShowTheLastSecondsAndTheLastOneInNumbers() {
    String line = RunLine.of(Timelines.after(Duration.ofMillis(3_300), 100, 1_000, 2_000, 7));
    assertEquals("measuring ▁▄█ 2,000/s, p50 50 us, p99 50 us, aborts 3/s", line);
  }

  @Test
  void shouldNotShowASecondThatIsNotOverForAllTerminals() {
    String line = RunLine.of(Timelines.after(Duration.ofMillis(1_900), 100, 1_000));
    assertTrue(line.startsWith("warming up █ 100/s"), line);
    assertEquals("warming up", RunLine.of(Timelines.after(Duration.ofMillis(900), 5)));
  }
}
