package org.nelumbo.executor.lock.remote;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of the locks of transactions by owner, since this compute node began to share its pool.
 * One thread counts; any thread may read, and may see slightly older numbers.
 */
public final class ClusterLockCounts {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int LOCAL = 0;
  private static final int REMOTE = 1;
  private static final int REQUESTS = 2;
  private static final int COUNTS = 3;

  private final long[] counts = new long[COUNTS];

  /** Returns the number of locks that the lock table of this compute node has granted. */
  public long local() {
    return get(LOCAL);
  }

  /** Returns the number of locks that other compute nodes have granted. */
  public long remote() {
    return get(REMOTE);
  }

  /**
   * Returns the number of requests for remote locks; each request covers all locks of one owner.
   */
  public long requests() {
    return get(REQUESTS);
  }

  void countLocal() {
    add(LOCAL, 1);
  }

  void countRemote() {
    add(REMOTE, 1);
  }

  void countRequest() {
    add(REQUESTS, 1);
  }

  void addAll(ClusterLockCounts other) {
    for (int i = 0; i < COUNTS; i++) {
      add(i, other.get(i));
    }
  }

  private long get(int what) {
    return (long) COUNT.getOpaque(counts, what);
  }

  private void add(int what, long by) {
    COUNT.setOpaque(counts, what, counts[what] + by);
  }
}
