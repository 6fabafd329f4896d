package org.nelumbo.dm.fabric.rdma;

/** The send queue of a queue pair that a device has made. */
public interface NativeQueue extends SendQueue {
  /** Address of the {@code ibv_qp}. */
  long queuePair();

  /** Frees the queue pair and the queue of its completions. */
  @Override
  void close();
}
