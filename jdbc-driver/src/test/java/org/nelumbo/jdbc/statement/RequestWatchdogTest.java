package org.nelumbo.jdbc.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** The network timeout, with a clock that the test advances. */
class RequestWatchdogTest {
  private static final long LIMIT = 100;

  private final Deque<Runnable> scheduled = new ArrayDeque<>();
  private long now = 1_001;
  private long due;
  private int expirations;
  private final RequestWatchdog watchdog =
      new RequestWatchdog(LIMIT, this::schedule, () -> now, () -> expirations++);

  private void schedule(long nanos, Runnable action) {
    due = now + nanos;
    scheduled.add(action);
  }

  /** Advances the clock to the only scheduled action and runs it. */
  private void ring() {
    assertEquals(1, scheduled.size());
    now = due;
    scheduled.remove().run();
  }

  @Test
  void shouldExpireIfRequestDoesNotEnd() {
    watchdog.begin();
    ring();
    assertEquals(1, expirations);
    assertEquals(0, scheduled.size());
  }

  @Test
  void shouldWatchTheRequestsOfAllThreads() throws InterruptedException {
    watchdog.begin();
    now += 20;
    inAnotherThread(watchdog::begin);
    watchdog.end();
    ring(); // this thread's request has ended, that of the other thread has not
    assertEquals(0, expirations);
    ring();
    assertEquals(1, expirations);
    assertEquals(1_001 + 20 + LIMIT, now);
  }

  @Test
  void shouldExpireForPendingRequestAmongFinishedOnes() throws InterruptedException {
    watchdog.begin();
    now += 20;
    inAnotherThread(
        () -> {
          watchdog.begin();
          watchdog.end();
        });
    ring();
    assertEquals(1, expirations);
  }

  private static void inAnotherThread(Runnable action) throws InterruptedException {
    Thread thread = new Thread(action);
    thread.start();
    thread.join();
  }

  @Test
  void shouldNotCountTimeBetweenRequests() {
    for (int i = 0; i < 10; i++) {
      watchdog.begin();
      watchdog.end();
      ring();
      now += 10 * LIMIT;
    }
    assertEquals(0, expirations);
  }

  @Test
  void shouldCountFromTheBeginOfTheLastRequest() {
    watchdog.begin();
    watchdog.end();
    now += LIMIT - 20;
    watchdog.begin();
    long began = now;
    ring();
    assertEquals(0, expirations);
    ring();
    assertEquals(1, expirations);
    assertEquals(began + LIMIT, now);
  }

  @Test
  void shouldUseOneTimerForAllRequests() {
    for (int i = 0; i < 1000; i++) {
      watchdog.begin();
      watchdog.end();
    }
    ring();
    assertEquals(0, scheduled.size());
  }

  @Test
  void shouldNotExpireOnceStopped() {
    watchdog.begin();
    watchdog.stop();
    ring();
    assertEquals(0, expirations);
  }
}
