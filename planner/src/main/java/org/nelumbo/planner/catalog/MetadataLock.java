package org.nelumbo.planner.catalog;

import org.nelumbo.dm.env.Environment;

/**
 * Keeps transactions out of a table while its definition changes.
 *
 * <p>A transaction enters the gate of each table it touches and leaves all of them when it ends; a
 * schema change closes the gate, waits until nobody is inside, works, and opens it again. Entering
 * costs a store and a load and touches no line that other sessions write: the session notes the
 * gate in its own {@link HeldMetadataLocks}, then looks whether the gate is closed; a schema change
 * closes it, then looks at all passes. One of the two always sees the other.
 */
public final class MetadataLock {
  private static final long POLL_NANOS = 100_000;

  private final Environment environment;
  private volatile boolean closed;

  MetadataLock(Environment environment) {
    this.environment = environment;
  }

  /** Whether a schema change is in progress or about to begin. */
  boolean isExclusive() {
    return closed;
  }

  /**
   * Closes the gate and waits until nobody is inside.
   *
   * @return false if somebody still was when the time was over; the gate is open again then
   */
  public boolean lockExclusively(Iterable<HeldMetadataLocks> passes, long timeoutNanos) {
    long start = environment.nanoTime();
    closed = true;
    for (HeldMetadataLocks pass : passes) {
      while (pass.holds(this)) {
        if (environment.nanoTime() - start > timeoutNanos) {
          closed = false;
          return false;
        }
        environment.parkNanos(POLL_NANOS);
      }
    }
    return true;
  }

  /** Opens the gate. */
  public void unlock() {
    closed = false;
  }

  /** Waits until the gate is open; false if it still was not when the time was over. */
  boolean awaitUnlocked(long timeoutNanos) {
    long start = environment.nanoTime();
    while (closed) {
      if (environment.nanoTime() - start > timeoutNanos) {
        return false;
      }
      environment.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
