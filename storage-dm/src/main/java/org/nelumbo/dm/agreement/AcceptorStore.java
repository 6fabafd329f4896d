package org.nelumbo.dm.agreement;

/** Keeps the state of an acceptor for as long as its incarnation. */
public interface AcceptorStore {
  AcceptorState load();

  /**
   * Returns when the state will be there after a restart of the process that has the same memory.
   */
  void store(AcceptorState state);
}
