package org.nelumbo.executor.timestamp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.dm.pool.Channel;

class EpochsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final SteppingEnvironment environment = new SteppingEnvironment();
  private final HybridClock clock = new HybridClock(environment);
  private final Epochs epochs = new Epochs(environment, clock, SECOND_NANOS);

  private void advance(long micros) {
    environment.advanceMicros(micros);
    clock.tick();
  }

  @Test
  void shouldFollowClockWithoutPins() {
    advance(10);
    assertEquals(clock.now(), epochs.refreshHorizon());
    assertEquals(clock.now(), epochs.horizon());
  }

  @Test
  void shouldStayBelowTheOldestPin() {
    int first = epochs.register();
    int second = epochs.register();
    long start = epochs.pin(first);
    advance(10);
    epochs.pin(second);
    advance(10);
    assertTrue(epochs.refreshHorizon() <= start);
    epochs.unpin(first);
    assertTrue(epochs.refreshHorizon() > start);
    epochs.unpin(second);
    assertEquals(clock.now(), epochs.refreshHorizon());
  }

  @Test
  void shouldCacheTheHorizonUntilItIsRefreshed() {
    long before = epochs.refreshHorizon();
    advance(10);
    assertEquals(before, epochs.horizon());
    assertNotEquals(before, epochs.refreshHorizon());
  }

  /** Advances the time in steps, and refreshes the horizon after each step. */
  private void pass(long micros, int steps) {
    for (int step = 0; step < steps; step++) {
      advance(micros / steps);
      epochs.refreshHorizon();
    }
  }

  @Test
  void shouldForceTheHorizonPastSnapshotsThatAreTooOld() {
    int slot = epochs.register();
    epochs.refreshHorizon();
    advance(10);
    long start = epochs.pin(slot);
    pass(1_000_000, 4);
    assertTrue(epochs.horizon() <= start);
    assertTrue(epochs.forcedHorizon() <= start);
    pass(250_000, 1);
    assertTrue(epochs.horizon() > start);
    assertTrue(epochs.forcedHorizon() > start, "its reader has to notice");
    assertTrue(epochs.horizon() <= epochs.forcedHorizon());
    long again = epochs.pin(slot);
    assertTrue(again >= epochs.forcedHorizon());
  }

  @Test
  void shouldNotCountWallClockStepAsAge() {
    int slot = epochs.register();
    long start = epochs.pin(slot);
    clock.raiseTo(clock.now() + Timestamps.ofNanos(3600 * SECOND_NANOS));
    pass(900_000, 9);
    assertTrue(epochs.horizon() <= start);
    pass(600_000, 6);
    assertTrue(epochs.forcedHorizon() > start, "though the clock stands still now");
  }

  @Test
  void shouldNotCountProcessPauseAsAge() {
    int slot = epochs.register();
    long start = epochs.pin(slot);
    pass(100_000, 4);
    pass(3600_000_000L, 1);
    pass(400_000, 4);
    assertTrue(epochs.horizon() <= start);
    pass(1_000_000, 4);
    assertTrue(epochs.forcedHorizon() > start);
  }

  @Test
  void shouldReuseSlotsAndForgetTheirPins() {
    int slot = epochs.register();
    long start = epochs.pin(slot);
    epochs.unregister(slot);
    advance(10);
    assertTrue(epochs.refreshHorizon() > start);
    assertEquals(slot, epochs.register());
    assertEquals(1, epochs.registered());
  }

  @Test
  void shouldRefuseTheCoordinatorTooMany() {
    for (int i = 0; i < Epochs.MAX_SLOTS; i++) {
      assertEquals(i, epochs.register());
    }
    IllegalStateException e = assertThrows(IllegalStateException.class, epochs::register);
    assertTrue(e.getMessage().contains("" + Epochs.MAX_SLOTS), e.getMessage());
    epochs.unregister(7);
    assertEquals(7, epochs.register());
  }

  @Property(seed = "1", tries = 200)
  void shouldAgreeWithAModel(@ForAll long seed) {
    Random random = new Random(seed);
    Map<Integer, Long> pinned = new HashMap<>();
    List<Integer> slots = new ArrayList<>();
    long horizon = epochs.horizon();
    for (int step = 0; step < 300; step++) {
      int slot = slots.isEmpty() ? -1 : slots.get(random.nextInt(slots.size()));
      switch (random.nextInt(6)) {
        case 0 -> slots.add(epochs.register());
        case 1 -> advance(random.nextInt(300_000));
        case 2 -> {
          if (slot >= 0 && !pinned.containsKey(slot)) {
            pinned.put(slot, epochs.pin(slot));
            assertTrue(pinned.get(slot) >= epochs.horizon());
          }
        }
        case 3 -> {
          if (pinned.remove(slot) != null) {
            epochs.unpin(slot);
          }
        }
        case 4 -> clock.next();
        default -> horizon = refreshed(pinned, horizon);
      }
    }
    slots.forEach(epochs::unregister);
  }

  /**
   * Refreshes the horizon, and checks that it does not pass any pin younger than the retention, and
   * that older pins do not hold it back for long.
   */
  private long refreshed(Map<Integer, Long> pinned, long before) {
    long young = clock.now() - Timestamps.ofNanos(SECOND_NANOS);
    long oldest = clock.now();
    for (long start : pinned.values()) {
      oldest = Math.min(oldest, start);
    }
    long found = epochs.refreshHorizon();
    assertTrue(found >= before);
    assertTrue(found <= Math.max(before, Math.max(oldest, young)));
    for (long start : pinned.values()) {
      assertTrue(start >= found || start < epochs.forcedHorizon(), "its reader notices");
    }
    return found;
  }

  /** A clock that runs an action immediately before, or after, one of its readings. */
  private final class InterruptedClock implements Clock {
    private int readings;
    private int at = -1;
    private Runnable before = () -> {};
    private Runnable after = () -> {};

    void interrupt(int reading, Runnable before, Runnable after) {
      readings = 0;
      at = reading;
      this.before = before;
      this.after = after;
    }

    @Override
    public long now() {
      boolean now = readings++ == at;
      if (now) {
        before.run();
      }
      long read = clock.now();
      if (now) {
        after.run();
      }
      return read;
    }

    @Override
    public long read(Channel channel) {
      return now();
    }

    @Override
    public long next(Channel channel) {
      return clock.next();
    }

    @Override
    public void raiseTo(long timestamp) {
      clock.raiseTo(timestamp);
    }

    @Override
    public void start() {}

    @Override
    public void close() {}
  }

  @Test
  void shouldNotBeOvertakenBetweenTheStepsOfAPin() {
    InterruptedClock interrupted = new InterruptedClock();
    Epochs mine = new Epochs(environment, interrupted, SECOND_NANOS);
    int slot = mine.register();
    Runnable refresh =
        () -> {
          clock.next();
          mine.refreshHorizon();
        };
    for (int reading = 0; reading < 3; reading++) {
      interrupted.interrupt(reading, refresh, refresh);
      long start = mine.pin(slot);
      interrupted.interrupt(-1, refresh, refresh);
      assertTrue(mine.horizon() <= start, "overtaken at reading=" + reading);
      clock.next();
      assertTrue(mine.refreshHorizon() <= start);
      mine.unpin(slot);
    }
  }

  @Test
  void shouldNotOvertakeAPinBetweenTheStepsOfARefresh() {
    InterruptedClock interrupted = new InterruptedClock();
    Epochs mine = new Epochs(environment, interrupted, SECOND_NANOS);
    int slot = mine.register();
    long[] start = new long[1];
    Runnable pin =
        () -> {
          start[0] = mine.pin(slot);
          clock.next();
        };
    Runnable nothing = () -> {};
    for (boolean before : new boolean[] {true, false}) {
      interrupted.interrupt(0, before ? pin : nothing, before ? nothing : pin);
      long horizon = mine.refreshHorizon();
      assertTrue(horizon <= start[0], "before=" + before);
      mine.unpin(slot);
    }
  }

  /**
   * Readers pin and unpin while other threads draw timestamps and refresh the horizon, which never
   * passes a pin.
   */
  @Test
  @Timeout(120)
  void shouldNeverOvertakeASnapshotThatIsInUse() throws Exception {
    Epochs busy = new Epochs(environment, clock, 3600 * SECOND_NANOS);
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Future<?> drawing =
          threads.submit(
              () -> {
                while (!stop.get()) {
                  clock.next();
                }
              });
      Future<?> refreshing = threads.submit(() -> refreshUntil(busy, stop));
      Future<?> one = threads.submit(() -> pinAndLook(busy));
      Future<?> other = threads.submit(() -> pinAndLook(busy));
      one.get(100, TimeUnit.SECONDS);
      other.get(100, TimeUnit.SECONDS);
      stop.set(true);
      refreshing.get(60, TimeUnit.SECONDS);
      drawing.get(60, TimeUnit.SECONDS);
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
  }

  private static void refreshUntil(Epochs epochs, AtomicBoolean stop) {
    long before = 0;
    while (!stop.get()) {
      long horizon = epochs.refreshHorizon();
      if (horizon < before) {
        throw new AssertionError("the horizon stepped back");
      }
      before = horizon;
    }
  }

  private static void pinAndLook(Epochs epochs) {
    for (int i = 0; i < 30_000; i++) {
      int slot = epochs.register();
      for (int k = 0; k < 3; k++) {
        long start = epochs.pin(slot);
        for (int look = 0; look < 5; look++) {
          if (epochs.horizon() > start) {
            throw new AssertionError("horizon=" + epochs.horizon() + " start=" + start);
          }
        }
        epochs.unpin(slot);
      }
      epochs.unregister(slot);
    }
  }
}
