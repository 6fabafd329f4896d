package org.nelumbo.executor.context;

/** The pool's memory as the coordinators of an engine see it. Thread-safe. */
public interface PoolMemory {
  /**
   * Frees what waits for no more than a fresh horizon: called before an allocation that failed is
   * tried again.
   */
  void refreshHorizon();

  /**
   * Waits a moment for memory that is going to come free: garbage that the sweeper has not
   * collected yet, blocks that wait for the horizon. Who calls this holds back nothing of that
   * himself: no epoch is pinned, nothing is latched.
   *
   * @param attempt how often it was called for the allocation that failed, from 0
   * @param fullSince timestamp at which the allocation failed first: its further attempts retire
   *     memory, too, which is not to be waited for
   * @return false if there is no hope, or this went on for too long
   */
  boolean awaitGarbage(int attempt, long fullSince);

  /** Offset in a logical node of the end of what is known to have been handed out. */
  long handedOutEnd(int node);

  /** Live copies that everything has just now. */
  int liveCopies();

  /** Copies that a commit is to have at least. */
  int minCopies();

  /** Why there is no memory, and what to do about it: the message of a 53200. */
  String describeFull();
}
