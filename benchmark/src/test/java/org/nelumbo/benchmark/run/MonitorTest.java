package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The automatic warm-up and the limits of the measured interval, in virtual time. */
@Timeout(120)
class MonitorTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final VirtualClock clock = new VirtualClock();
  private final AtomicLong finished = new AtomicLong();
  private final List<String> events = new ArrayList<>();

  @Test
  void shouldEndTheWarmupWhenTheThroughputIsSteady() throws Exception {
    RunStatistics.WarmupResult warmup = run(second -> 1_000);
    assertTrue(warmup.steady());
    assertEquals(10, warmup.length().toSeconds());
  }

  @Test
  void shouldEndTheWarmupAtItsBoundAtTheLatest() throws Exception {
    RunStatistics.WarmupResult warmup = run(second -> second % 2 == 0 ? 10 : 1_000);
    assertFalse(warmup.steady());
    assertEquals(Duration.ofSeconds(30), warmup.length());
  }

  @Test
  void shouldSignalStartAndEndOfMeasurement() throws Exception {
    run(second -> 1_000);
    assertEquals(List.of("begins", "ends"), events);
  }

  private interface Throughput {
    long inSecond(int second);
  }

  private RunStatistics.WarmupResult run(Throughput throughput) throws Exception {
    LoopSettings settings =
        new LoopSettings(
            1,
            Warmup.automatic(Duration.ofSeconds(30)),
            Duration.ofSeconds(5),
            Optional.empty(),
            0,
            true,
            Duration.ofSeconds(20),
            1);
    Schedule schedule = new Schedule(clock, settings);
    Thread terminal =
        Thread.startVirtualThread(
            () -> {
              try {
                schedule.readyToGo();
              } catch (InterruptedException e) {
                schedule.fail(e);
              }
            });
    schedule.start();
    terminal.join();
    Monitor monitor =
        new Monitor(
            schedule,
            settings,
            new Timeline(Duration.ofSeconds(35)),
            finished::get,
            new RunProgress() {
              @Override
              public void tick(RunState state) {}

              @Override
              public void measuringBegins() {
                events.add("begins");
              }

              @Override
              public void measuringEnds() {
                events.add("ends");
              }
            });
    for (int second = 0; schedule.running(clock.nanos()); second++) {
      clock.pass(SECOND);
      finished.addAndGet(throughput.inSecond(second));
      monitor.look(clock.nanos());
    }
    assertTrue(monitor.await(new CountDownLatch(0)));
    return monitor.warmup();
  }
}
