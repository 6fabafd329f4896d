package org.nelumbo.executor.context;

/** The pool's memory as the coordinators of an engine see it. Thread-safe. */
public interface PoolMemory {
  /**
   * Frees what waits for no more than a fresh horizon: called before an allocation that failed is
   * tried again.
   */
  void refreshHorizon();

  /** Bytes of one logical node that this compute node's coordinators have taken in chunks. */
  long takenBytes(int node);

  /** Why there is no memory, and what to do about it: the message of a 53200. */
  String describeFull();
}
