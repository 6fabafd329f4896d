package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.benchmark.database.Dialect;

/** Proves that the loop allocates no memory of its own while transactions commit. */
@Timeout(120)
class LoopCostTest {
  private static final int BEFORE = 100_000; // loop compiled, histograms grown
  private static final int COUNTED = 400_000;

  private final VirtualClock clock = new VirtualClock();
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final AtomicLong allocated = new AtomicLong(-1);

  @Test
  void shouldNotAllocateInAClosedLoop() throws Exception {
    run(Optional.empty());
    assertEquals(0, allocated.get() / COUNTED, () -> "bytes: " + allocated);
  }

  @ParameterizedTest
  @EnumSource(Arrivals.class)
  void shouldNotAllocateInAnOpenLoop(Arrivals arrivals) throws Exception {
    run(Optional.of(new OfferedRate(1e6, arrivals)));
    assertEquals(0, allocated.get() / COUNTED, () -> "bytes: " + allocated);
  }

  /**
   * Runs the loop for two seconds of virtual time. A transaction takes a microsecond, so that the
   * run has enough of them.
   */
  private void run(Optional<OfferedRate> rate) throws Exception {
    LoopSettings settings =
        new LoopSettings(
            1,
            Warmup.fixed(Duration.ZERO),
            Duration.ofSeconds(2),
            rate,
            0,
            true,
            Duration.ofSeconds(20),
            1);
    ScriptedTerminals links = new ScriptedTerminals(clock);
    new LoadLoop(links, Dialect.ofProduct("none"), this::terminal, 1, settings, clock)
        .run(RunProgress.NONE);
    assertTrue(allocated.get() >= 0, "too few transactions");
  }

  private Terminal terminal(Connection connection, int index, int incarnation) {
    return new Terminal() {
      private int count;
      private long before;

      @Override
      public int draw() {
        return 0;
      }

      @Override
      public Outcome execute() {
        clock.pass(1_000);
        count++;
        if (count == BEFORE) {
          before = threads.getCurrentThreadAllocatedBytes();
        } else if (count == BEFORE + COUNTED) {
          allocated.set(threads.getCurrentThreadAllocatedBytes() - before);
        }
        return Outcome.COMMITTED;
      }

      @Override
      public void close() {}
    };
  }
}
