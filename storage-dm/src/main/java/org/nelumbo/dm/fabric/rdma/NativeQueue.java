package org.nelumbo.dm.fabric.rdma;

/** The send queue of a queue pair that a device has created. */
public interface NativeQueue extends SendQueue {
  /** Returns the address of the {@code ibv_qp}. */
  long queuePair();

  /** Destroys the queue pair and its completion queue. */
  @Override
  void close();
}
