package org.nelumbo.executor.context;

/**
 * Counts the changes to the pool that a coordinator has begun and not finished. One that an
 * exception has ended on its way leaves something half done: whoever attaches to the pool next has
 * to look at everything. One thread at a time.
 */
public final class ChangeTracker {
  private final Runnable onUnfinished;

  /** One within another counts, too. */
  private int unfinished;

  /**
   * A tracker without changes.
   *
   * @param onUnfinished called if a change was never finished
   */
  public ChangeTracker(Runnable onUnfinished) {
    this.onUnfinished = onUnfinished;
  }

  /**
   * A change begins; {@link #end} follows when it has returned, whatever its outcome, but not when
   * an exception has ended it.
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
