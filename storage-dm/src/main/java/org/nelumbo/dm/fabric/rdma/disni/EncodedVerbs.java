package org.nelumbo.dm.fabric.rdma.disni;

/**
 * Posts requests that are already encoded in memory in the format of the device's driver. DiSNI's
 * own interface takes lists of objects, and cannot encode atomics.
 */
interface EncodedVerbs {
  /**
   * Returns the queue of a queue pair, given the addresses of the queue pair and of its completion
   * queue.
   */
  EncodedQueue queue(long queuePair, long completions);

  /** A queue of work requests. Used by one thread at a time. */
  interface EncodedQueue {
    /** Posts a list of {@code ibv_send_wr}; returns 0, or an error number. */
    int post(long first);

    /**
     * Polls for one {@code ibv_wc}.
     *
     * @return 1 if there was one, 0 if there is none yet, negative if the queue is broken
     */
    int poll(long completion);
  }
}
