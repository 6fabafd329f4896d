package org.nelumbo.dm.agreement;

/**
 * Identity of an acceptor: a memory node for as long as it keeps its memory.
 *
 * @param node number of the memory node
 * @param incarnation drawn when its memory was empty; what has forgotten has another one
 */
public record AcceptorId(int node, long incarnation) {
  @Override
  public String toString() {
    return node + "/" + Long.toHexString(incarnation);
  }
}
