package org.nelumbo.dm.peer;

/**
 * Identity of a compute node among those of a pool, from its start to its end.
 *
 * @param node number of the compute node
 * @param incarnation larger each time that a compute node of this number starts
 */
public record PeerId(int node, long incarnation) {
  @Override
  public String toString() {
    return "cn" + node + "/" + incarnation;
  }
}
