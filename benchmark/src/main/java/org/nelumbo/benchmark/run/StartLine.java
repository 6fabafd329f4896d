package org.nelumbo.benchmark.run;

/**
 * Where a loop waits for those of other processes that begin with it, when its terminals are
 * connected.
 */
public interface StartLine {
  /** Waits for nobody. */
  StartLine NONE = () -> {};

  /**
   * Returns when all are there.
   *
   * @throws RunStoppedException if another one does not come
   */
  void await() throws RunStoppedException, InterruptedException;
}
