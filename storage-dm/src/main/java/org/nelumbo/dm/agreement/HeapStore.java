package org.nelumbo.dm.agreement;

/**
 * Stores the state of an acceptor on the heap: it lasts as long as the process, as memory that is
 * not backed by a file.
 */
public final class HeapStore implements AcceptorStore {
  private AcceptorState state = AcceptorState.EMPTY;

  @Override
  public AcceptorState load() {
    return state;
  }

  @Override
  public void store(AcceptorState newState) {
    state = newState;
  }
}
