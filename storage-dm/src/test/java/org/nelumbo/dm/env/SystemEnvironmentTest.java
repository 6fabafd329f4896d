package org.nelumbo.dm.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SystemEnvironmentTest {
  private final Environment environment = new SystemEnvironment();

  @Test
  void shouldReturnMonotonicNanoTime() {
    long before = environment.nanoTime();
    for (int i = 0; i < 1000; i++) {
      long now = environment.nanoTime();
      assertTrue(now - before >= 0);
      before = now;
    }
  }

  @Test
  void shouldReturnWallClockTimeInMicroseconds() {
    long millis = environment.epochMicros() / 1000;
    assertTrue(Math.abs(millis - System.currentTimeMillis()) < 60_000, "millis=" + millis);
  }

  @Test
  void shouldSpreadRandomBits() {
    long ones = 0;
    for (int i = 0; i < 10_000; i++) {
      ones += Long.bitCount(environment.randomLong());
    }
    assertTrue(Math.abs(ones - 320_000) < 4_000, "ones=" + ones);
    assertNotEquals(environment.randomLong(), environment.randomLong());
  }

  @Test
  void shouldReturnFromEveryBackoffAttempt() {
    for (int attempt : new int[] {0, 1, 63, 64, 79, 80, 90, 1000, Integer.MAX_VALUE}) {
      environment.backoff(attempt);
      environment.backoffLong(attempt);
    }
    environment.parkNanos(1000);
  }

  @Test
  void shouldMakeDaemonThreadsThatAreNotStarted() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    Thread thread = environment.thread("a name", ran::countDown);
    assertEquals("a name", thread.getName());
    assertTrue(thread.isDaemon());
    assertFalse(thread.isAlive());
    thread.start();
    assertTrue(ran.await(60, TimeUnit.SECONDS));
  }
}
