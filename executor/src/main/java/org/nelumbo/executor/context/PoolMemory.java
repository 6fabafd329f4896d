package org.nelumbo.executor.context;

/** The memory of the pool as seen by the coordinators of an engine. Thread-safe. */
public interface PoolMemory {
  /**
   * Frees memory that only waits for a newer horizon. Called before a failed allocation is retried.
   */
  void refreshHorizon();

  /**
   * Waits briefly for memory that will become free: garbage that the sweeper has not collected yet,
   * blocks that wait for the horizon. The caller must not hold back such memory itself: it has
   * pinned no epoch and holds no latch.
   *
   * @param attempt number of earlier calls for the allocation that failed, from 0
   * @param fullSince timestamp of the first failure of the allocation. Its retries retire memory,
   *     too, which must not be waited for
   * @return false if waiting is useless, or has taken too long
   */
  boolean awaitGarbage(int attempt, long fullSince);

  /**
   * Returns the end, as an offset in a logical node, of the memory that is known to be handed out.
   */
  long handedOutEnd(int node);

  /** Returns the number of live copies that all data has at present. */
  int liveCopies();

  /** Returns the number of live copies that a commit requires. */
  int minCopies();

  /** Returns the reason for the lack of memory, and the remedy: the message of a 53200. */
  String describeFull();
}
