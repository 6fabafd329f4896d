package org.nelumbo.executor.timestamp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.ForwardingEnvironment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.litmus.SteppingEnvironment;

@Timeout(120)
class HybridClockTest {
  private final SteppingEnvironment environment = new SteppingEnvironment();
  private final HybridClock clock = new HybridClock(environment);

  @Test
  void shouldConvertBetweenTimestampsAndTime() {
    assertEquals(0, Timestamps.ofEpochMicros(1_704_067_200_000_000L));
    long micros = 1_800_000_000_000_123L;
    assertEquals(micros, Timestamps.toEpochMicros(Timestamps.ofEpochMicros(micros)));
    assertEquals(micros, Timestamps.toEpochMicros(Timestamps.ofEpochMicros(micros) + 15));
    assertEquals(16, Timestamps.ofNanos(1000));
    long endOfTime = Timestamps.ofEpochMicros(1_704_067_200_000_000L + (1L << 52) - 1) + 15;
    assertEquals((1L << 56) - 1, endOfTime, "56 bits last for 142 years");
  }

  @Test
  void shouldStartAtPhysicalTime() {
    assertEquals(Timestamps.ofEpochMicros(environment.epochMicros()), clock.now());
  }

  @Test
  void shouldDrawTimestampAboveAnySeenBefore() {
    long seen = clock.now();
    for (int i = 0; i < 100; i++) {
      long next = clock.next();
      assertTrue(next > seen);
      seen = clock.now();
      assertTrue(seen >= next, "a snapshot taken now sees the commit");
    }
  }

  @Test
  void shouldFollowPhysicalTimeButNeverStepBack() {
    environment.advanceMicros(5);
    clock.tick();
    long now = clock.now();
    assertEquals(Timestamps.ofEpochMicros(environment.epochMicros()), now);
    environment.advanceMicros(-1_000_000);
    clock.tick();
    assertEquals(now, clock.now());
    assertEquals(now + 1, clock.next());
  }

  /** A wall clock that can be changed independently of monotonic time. */
  private static final class WrongClock extends ForwardingEnvironment {
    private final SteppingEnvironment time;
    private long aheadMicros;

    WrongClock(SteppingEnvironment time) {
      super(time);
      this.time = time;
    }

    @Override
    public long epochMicros() {
      return environment.epochMicros() + aheadMicros;
    }
  }

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final long YEAR_MICROS = 365 * DAY_MICROS;

  private final WrongClock wrong = new WrongClock(new SteppingEnvironment());

  @Test
  void shouldNotFollowAWallClockThatStepsByMoreThanADay() {
    HybridClock follower = new HybridClock(wrong);
    wrong.aheadMicros = 2 * DAY_MICROS;
    wrong.time.advanceMicros(10);
    follower.tick();
    assertEquals(Timestamps.ofEpochMicros(wrong.time.epochMicros()), follower.now());
    wrong.aheadMicros = DAY_MICROS / 2;
    follower.tick();
    assertEquals(Timestamps.ofEpochMicros(wrong.epochMicros()), follower.now());
    wrong.aheadMicros = -30 * YEAR_MICROS;
    follower.tick();
    wrong.aheadMicros = 0;
    wrong.time.advanceMicros(DAY_MICROS);
    follower.tick();
    assertEquals(Timestamps.ofEpochMicros(wrong.epochMicros()), follower.now());
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, 68, 76, 100, 200, 1000, 100_000, 270_000})
  void shouldNotFollowAWallClockBeyondTheYearsOfTimestamps(int years) {
    wrong.aheadMicros = years * YEAR_MICROS;
    HybridClock follower = new HybridClock(wrong);
    assertTrue(follower.next() > 0);
    assertTrue(follower.now() < Timestamps.END - (1L << 49));
    wrong.aheadMicros = 0;
    follower.tick();
    assertTrue(follower.now() < Timestamps.END - (1L << 49));
  }

  @Test
  void shouldRunAheadOfPhysicalTimeIfNecessary() {
    long start = clock.now();
    for (int i = 0; i < 1000; i++) {
      clock.next();
    }
    clock.tick();
    assertEquals(start + 1000, clock.now());
  }

  @Test
  void shouldAdvanceBeyondTimestampOfOtherClock() {
    long foreign = clock.now() + 12_345;
    clock.raiseTo(foreign);
    assertTrue(clock.next() > foreign);
  }

  @Test
  void shouldNeverDrawCommitTimestampTwice() throws Exception {
    int threads = 4;
    int each = 20_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    List<Future<long[]>> futures = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      futures.add(pool.submit(() -> draw(each)));
    }
    Future<?> ticks =
        pool.submit(
            () -> {
              for (int i = 0; i < 1000; i++) {
                environment.advanceMicros(3);
                clock.tick();
              }
            });
    Set<Long> all = new HashSet<>();
    for (Future<long[]> future : futures) {
      for (long timestamp : future.get(100, TimeUnit.SECONDS)) {
        assertTrue(all.add(timestamp), "drawn twice");
      }
    }
    ticks.get(100, TimeUnit.SECONDS);
    pool.shutdownNow();
  }

  private long[] draw(int count) {
    long[] drawn = new long[count];
    for (int i = 0; i < count; i++) {
      drawn[i] = clock.next();
      if (i > 0 && drawn[i] <= drawn[i - 1]) {
        throw new AssertionError("not in order");
      }
    }
    return drawn;
  }

  @Test
  void shouldTickByItselfUntilClosed() {
    try (HybridClock ticking = new HybridClock(new SystemEnvironment())) {
      ticking.start();
      long start = ticking.now();
      while (ticking.now() - start < Timestamps.ofNanos(3_000_000)) {
        Thread.onSpinWait();
      }
    }
  }
}
