package org.nelumbo.dm.agreement;

/**
 * Identity of an acceptor: a memory node for as long as it keeps its state.
 *
 * @param node number of the memory node
 * @param incarnation drawn when its state was empty; a memory node that has lost its state has
 *     another one
 */
public record AcceptorId(int node, long incarnation) {
  @Override
  public String toString() {
    return node + "/" + Long.toHexString(incarnation);
  }
}
