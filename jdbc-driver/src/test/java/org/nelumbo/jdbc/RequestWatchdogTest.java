package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** The network timeout, by a clock that the test moves. */
class RequestWatchdogTest {
  private static final long LIMIT = 100;

  private final Deque<Runnable> alarms = new ArrayDeque<>();
  private long now = 1_001;
  private long due;
  private int expirations;
  private final RequestWatchdog watch =
      new RequestWatchdog(LIMIT, this::schedule, () -> now, () -> expirations++);

  private void schedule(long nanos, Runnable action) {
    due = now + nanos;
    alarms.add(action);
  }

  /** Moves the clock to the only alarm there is, and lets it ring. */
  private void ring() {
    assertEquals(1, alarms.size());
    now = due;
    alarms.remove().run();
  }

  @Test
  void shouldExpireWithARequestThatIsNotAnswered() {
    watch.begin();
    ring();
    assertEquals(1, expirations);
    assertEquals(0, alarms.size());
  }

  @Test
  void shouldNotCountTimeBetweenRequests() {
    for (int i = 0; i < 10; i++) {
      watch.begin();
      watch.end();
      ring();
      now += 10 * LIMIT;
    }
    assertEquals(0, expirations);
  }

  @Test
  void shouldCountFromTheBeginOfTheLastRequest() {
    watch.begin();
    watch.end();
    now += LIMIT - 20;
    watch.begin();
    long began = now;
    ring();
    assertEquals(0, expirations);
    ring();
    assertEquals(1, expirations);
    assertEquals(began + LIMIT, now);
  }

  @Test
  void shouldHaveOneAlarmHoweverManyRequests() {
    for (int i = 0; i < 1000; i++) {
      watch.begin();
      watch.end();
    }
    ring();
    assertEquals(0, alarms.size());
  }

  @Test
  void shouldNotExpireOnceStopped() {
    watch.begin();
    watch.stop();
    ring();
    assertEquals(0, expirations);
  }
}
