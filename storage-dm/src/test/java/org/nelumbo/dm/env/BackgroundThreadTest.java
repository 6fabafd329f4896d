package org.nelumbo.dm.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a background thread continues, whatever its work throws. */
@Timeout(60)
class BackgroundThreadTest {
  private final SystemEnvironment environment = new SystemEnvironment();

  @Test
  void shouldRunTheBodyAgainAfterAnyFailure() {
    List<Throwable> thrown =
        new ArrayList<>(
            List.of(
                new OutOfMemoryError("made up"),
                new StackOverflowError("made up"),
                new IllegalStateException("made up"),
                new AssertionError("made up")));
    BackgroundThread thread =
        new BackgroundThread(
            environment,
            "worker",
            () -> {
              if (!thrown.isEmpty()) {
                BackgroundThreadTest.<RuntimeException>sneak(thrown.removeLast());
              }
            });
    thread.start();
    thread.join();
    assertEquals(List.of(), thrown);
    assertEquals(Map.of("worker", 4L), environment.failures());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable why) throws T {
    throw (T) why;
  }

  @Test
  void shouldEndWhenFailureHandlerReturnsFalse() {
    AtomicInteger runs = new AtomicInteger();
    BackgroundThread thread =
        new BackgroundThread(
            environment,
            "worker",
            () -> {
              runs.incrementAndGet();
              throw new OutOfMemoryError("made up");
            },
            why -> runs.get() < 3);
    thread.start();
    thread.join();
    assertEquals(3, runs.get());
    assertEquals(3, thread.failures());
  }

  /** The failure handler may itself need memory that is not available, and is called again. */
  @Test
  void shouldRetryFailureHandlerThatThrows() {
    AtomicInteger asked = new AtomicInteger();
    BackgroundThread thread =
        new BackgroundThread(
            environment,
            "worker",
            () -> {
              throw new OutOfMemoryError("made up");
            },
            why -> {
              if (asked.incrementAndGet() < 5) {
                throw new OutOfMemoryError("still");
              }
              return false;
            });
    thread.start();
    thread.join();
    assertEquals(5, asked.get());
    assertEquals(5, thread.failures());
  }

  @Test
  void shouldEndAfterStop() throws InterruptedException {
    CountDownLatch failing = new CountDownLatch(1);
    BackgroundThread thread =
        new BackgroundThread(
            environment,
            "worker",
            () -> {
              failing.countDown();
              throw new IllegalStateException("made up");
            });
    thread.start();
    failing.await();
    thread.stop();
    thread.join();
    assertTrue(thread.isStopped());
  }
}
