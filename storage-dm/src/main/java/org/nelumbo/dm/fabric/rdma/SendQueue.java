package org.nelumbo.dm.fabric.rdma;

/** Where requests are posted. For one thread at a time. */
public interface SendQueue extends AutoCloseable {
  /** Requests that may be under way. */
  int requests();

  /** Bytes of data that a request may have in itself; 0: none. */
  int inlineBytes();

  /** Posts a list of {@code ibv_send_wr}; returns 0, or an error number. */
  int post(long first);

  /**
   * Takes a completion, an {@code ibv_wc}; returns 1, 0 if there is none yet, or less if it is
   * broken.
   */
  int poll(long completion);

  /** Nothing of what was posted happens any more on this side, once this returns. */
  @Override
  void close();
}
