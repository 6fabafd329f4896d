package org.nelumbo.executor.context;

/**
 * Counts the changes to the pool that a coordinator has begun and not finished. A change that was
 * ended by an exception leaves the pool half changed: the next attach then has to check all of it.
 * Used by one thread at a time.
 */
public final class ChangeTracker {
  private final Runnable onUnfinished;

  /** Nested changes count. */
  private int unfinished;

  /**
   * Creates a tracker without changes.
   *
   * @param onUnfinished runs if a change was never finished
   */
  public ChangeTracker(Runnable onUnfinished) {
    this.onUnfinished = onUnfinished;
  }

  /**
   * Begins a change. {@link #end} follows when the change returns, with any outcome, but not when
   * an exception ends it.
   */
  public void begin() {
    unfinished++;
  }

  public void end() {
    unfinished--;
  }

  /** Reports a change that was begun and never finished, once. */
  public void check() {
    if (unfinished != 0) {
      unfinished = 0;
      onUnfinished.run();
    }
  }
}
