package org.nelumbo.simulation.world;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Simulated threads that wait for a monitor which a thread outside of the world has: a helper
 * thread of the JDK tells when they have got it. Thread-safe.
 */
final class ForeignMonitors {
  /** The JDK's thread that resumes virtual threads when they get the monitor they waited for. */
  private static final String UNBLOCKER = "VirtualThread-unblocker";

  /** How long, in real time, a monitor is waited for: if a simulated thread has it, for ever. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final BlockingQueue<Runnable> unblocked = new LinkedBlockingQueue<>();

  /** Whether the caller resumes a thread that has got its monitor; then its step is noted. */
  boolean isUnblocked(Thread caller, Runnable step) {
    return caller.getName().equals(UNBLOCKER) && unblocked.add(step);
  }

  /** The next step of a thread that has got its monitor; null if none has. */
  Runnable await() {
    try {
      return unblocked.poll(WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
