package org.nelumbo.dm.env;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Source of time, randomness, threads and waiting for the engine. Production uses {@link
 * SystemEnvironment}; the simulator controls all of it. Engine code uses nothing else for these (an
 * ArchUnit test checks that).
 *
 * <p>All methods may be called from any thread.
 */
public interface Environment {
  /** Returns monotonic time in nanoseconds, with an arbitrary origin. */
  long nanoTime();

  /** Returns wall-clock time in microseconds since the Unix epoch; it may step. */
  long epochMicros();

  /** Returns 64 uniformly distributed random bits, at low cost. */
  long randomLong();

  /**
   * Pauses for one step of a polled wait: spins for the first attempts, then yields, then parks for
   * growing, randomised times (at most about a millisecond).
   *
   * @param attempt number of steps of this wait so far, from 0
   */
  void backoff(int attempt);

  /**
   * Pauses as {@link #backoff} does, for a resource that another transaction holds until it ends.
   * Hardly spins, since spinning would keep the other transaction from a core if there are few.
   */
  default void backoffLong(int attempt) {
    backoff(attempt);
  }

  /** Yields to other threads; returns at once if none needs the processor. */
  void stepAside();

  /** Parks the calling thread for about {@code nanos}; may return early. */
  void parkNanos(long nanos);

  /** Creates an unstarted daemon thread. */
  Thread thread(String name, Runnable body);

  /**
   * Returns the failure counter of the background threads of a name: a shared one, or a new one if
   * this environment keeps none.
   */
  default AtomicLong failures(String thread) {
    return new AtomicLong();
  }

  /**
   * Returns the failures of background threads by name; a copy, empty if they are not kept here.
   */
  default Map<String, Long> failures() {
    return Map.of();
  }

  /**
   * Receives each failure of a {@link BackgroundThread}, in that thread. An exception from this
   * method ends the thread, so that a simulator detects failures that production survives.
   */
  default void backgroundFailed(Throwable why) {}
}
