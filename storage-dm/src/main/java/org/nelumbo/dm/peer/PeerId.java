package org.nelumbo.dm.peer;

/**
 * Identity of a compute node among those of a pool, from its start to its end.
 *
 * @param node number of the compute node
 * @param incarnation larger each time that a compute node of this number starts
 */
public record PeerId(int node, long incarnation) {
  // By hand: maps of shards compare thousands, which those of a record do by method handles.

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof PeerId that && node == that.node && incarnation == that.incarnation;
  }

  @Override
  public int hashCode() {
    return 31 * node + Long.hashCode(incarnation);
  }

  @Override
  public String toString() {
    return "cn" + node + "/" + incarnation;
  }
}
