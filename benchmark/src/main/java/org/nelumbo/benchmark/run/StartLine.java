package org.nelumbo.benchmark.run;

/**
 * A barrier at which a loop, after its terminals are connected, waits for the loops of other
 * processes.
 */
public interface StartLine {
  /** A barrier of a single process, which returns at once. */
  StartLine NONE = () -> {};

  /**
   * Returns when all processes have reached the barrier.
   *
   * @throws RunStoppedException if another process does not reach it
   */
  void await() throws RunStoppedException, InterruptedException;
}
