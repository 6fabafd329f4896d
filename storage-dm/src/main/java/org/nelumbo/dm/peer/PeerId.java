package org.nelumbo.dm.peer;

/**
 * Identity of a compute node among those of a pool, from its start to its end.
 *
 * @param node number of the compute node
 * @param incarnation larger each time that a compute node of this number starts
 */
public record PeerId(int node, long incarnation) {
  // Written out, since those of a record go through method handles, which are slow until they are
  // compiled well: a change of shards compares thousands.

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
