package org.nelumbo.simulation.world;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Simulated threads that wait for a monitor held by a thread outside of the world, or for the end
 * of such a thread, which notifies the waiters of its monitor. They are resumed by a helper thread
 * of the JDK, or by the carrier itself if the monitor was released while their step ended.
 * Thread-safe.
 */
final class ForeignMonitors {
  /**
   * Name of the JDK thread that resumes virtual threads when they acquire the monitor they waited
   * for.
   */
  private static final String UNBLOCKER = "VirtualThread-unblocker";

  /**
   * Longest wait for a monitor in real time. A monitor held by a simulated thread is never
   * released.
   */
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final BlockingQueue<Runnable> unblocked = new LinkedBlockingQueue<>();

  /**
   * Returns true if the caller is the JDK thread that resumes virtual threads, and not the carrier.
   */
  static boolean isUnblocker(Thread caller) {
    return caller.getName().equals(UNBLOCKER);
  }

  /** Enqueues the next step of a thread whose monitor has been released. */
  void unblocked(Runnable step) {
    unblocked.add(step);
  }

  /** Returns the next step of a thread whose monitor has been released; null after a timeout. */
  Runnable await() {
    try {
      return unblocked.poll(WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
