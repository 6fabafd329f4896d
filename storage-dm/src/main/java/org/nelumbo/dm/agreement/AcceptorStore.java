package org.nelumbo.dm.agreement;

/** Stores the state of an acceptor for as long as its incarnation exists. */
public interface AcceptorStore {
  AcceptorState load();

  /**
   * Stores the state. When this returns, the state survives a restart of the process with the same
   * memory.
   */
  void store(AcceptorState state);
}
