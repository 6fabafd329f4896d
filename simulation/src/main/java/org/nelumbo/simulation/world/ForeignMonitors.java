package org.nelumbo.simulation.world;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Simulated threads that wait for a monitor which a thread outside of the world has, or for the end
 * of such a thread, which notifies the waiters at its monitor. They are resumed by a helper thread
 * of the JDK, or by the carrier itself if the monitor came free while their step ended.
 * Thread-safe.
 */
final class ForeignMonitors {
  /** The JDK's thread that resumes virtual threads when they get the monitor they waited for. */
  private static final String UNBLOCKER = "VirtualThread-unblocker";

  /** How long, in real time, a monitor is waited for: if a simulated thread has it, for ever. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final BlockingQueue<Runnable> unblocked = new LinkedBlockingQueue<>();

  /** Whether a thread other than the carrier is the one that tells when monitors are free. */
  static boolean isUnblocker(Thread caller) {
    return caller.getName().equals(UNBLOCKER);
  }

  /** Notes the next step of a thread whose monitor has become free. */
  void unblocked(Runnable step) {
    unblocked.add(step);
  }

  /** The next step of a thread whose monitor has become free; null if none has. */
  Runnable await() {
    try {
      return unblocked.poll(WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
