package org.nelumbo.dm.fabric.rdma;

/** A queue of work requests. Used by one thread at a time. */
public interface SendQueue extends AutoCloseable {
  /** Returns the maximum number of outstanding requests. */
  int requests();

  /**
   * Returns the maximum of inline data in a request, in bytes; 0 if inline data is not supported.
   */
  int inlineBytes();

  /** Posts a list of {@code ibv_send_wr}; returns 0, or an error number. */
  int post(long first);

  /**
   * Polls for one completion and writes it as an {@code ibv_wc}.
   *
   * @return 1 if there was one, 0 if there is none yet, negative if the queue is broken
   */
  int poll(long completion);

  /** Closes the queue. After this returns, no posted request has an effect on this side. */
  @Override
  void close();
}
