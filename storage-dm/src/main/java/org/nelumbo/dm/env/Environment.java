package org.nelumbo.dm.env;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Source of time, randomness, threads and waiting for the engine. Production uses {@link
 * SystemEnvironment}; the simulator owns all of it. Engine code calls nothing else for these (an
 * ArchUnit test holds that).
 *
 * <p>All methods may be called from any thread.
 */
public interface Environment {
  /** Monotonic time, nanoseconds, arbitrary origin. */
  long nanoTime();

  /** Wall-clock time, microseconds since the Unix epoch; may step. */
  long epochMicros();

  /** 64 uniformly distributed random bits, cheap. */
  long randomLong();

  /**
   * One step of a polled wait: spins for the first attempts, then yields, then parks for growing,
   * randomised times (at most about a millisecond).
   *
   * @param attempt how many steps this wait has made, from 0
   */
  void backoff(int attempt);

  /**
   * {@link #backoff} for what another transaction has until it ends: hardly spins, since that keeps
   * the other one from a core if there are few.
   */
  default void backoffLong(int attempt) {
    backoff(attempt);
  }

  /** Lets other threads go first; comes back at once if none wants the processor. */
  void stepAside();

  /** Parks the calling thread for about {@code nanos}; may return early. */
  void parkNanos(long nanos);

  /** An unstarted daemon thread. */
  Thread thread(String name, Runnable body);

  /** The counter of failures of background threads of that name; the only one, or of its own. */
  default AtomicLong failures(String thread) {
    return new AtomicLong();
  }

  /** Failures of background threads by name; a copy, empty if they are not kept here. */
  default Map<String, Long> failures() {
    return Map.of();
  }

  /**
   * Told of each failure of a {@link BackgroundThread}, in that thread. Whatever this throws ends
   * the thread: a simulator wants to see failures that production survives.
   */
  default void backgroundFailed(Throwable why) {}
}
