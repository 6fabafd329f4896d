package org.nelumbo.dm.agreement;

/** Keeps the state of an acceptor as long as its process lives, like memory that is in no file. */
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
