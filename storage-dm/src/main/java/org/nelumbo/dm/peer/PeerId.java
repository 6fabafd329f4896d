package org.nelumbo.dm.peer;

/**
 * Identity of a compute node in the message network of a pool, from its start to its end.
 *
 * @param node number of the compute node
 * @param incarnation rises each time that a compute node of this number starts
 */
public record PeerId(int node, long incarnation) {
  // Written out, since the generated methods of a record use method handles, which are slow until
  // they are well compiled: a change of shards compares thousands.

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
