package org.nelumbo.dm.fabric.rdma.disni;

/**
 * Posting of requests that lie in memory as the device's driver takes them. DiSNI's own interface
 * takes lists of objects, and encodes no atomics.
 */
interface EncodedVerbs {
  /** The queue of a queue pair, by the addresses of that and of its completions. */
  EncodedQueue queue(long queuePair, long completions);

  /** A queue. For one thread at a time. */
  interface EncodedQueue {
    /** Posts a list of {@code ibv_send_wr}; returns 0, or an error number. */
    int post(long first);

    /** Takes an {@code ibv_wc}; returns 1, 0 if there is none yet, or less if it is broken. */
    int poll(long completion);
  }
}
