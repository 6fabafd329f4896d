package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.NodeHeader;

/** Checks that the named memory nodes are all nodes of one pool, in order. */
final class HeaderCheck {
  private final NodeProbe nodeProbe;
  private final NodeHeader any;
  private final int copies;

  private HeaderCheck(NodeProbe nodeProbe, NodeHeader any, int copies) {
    this.nodeProbe = nodeProbe;
    this.any = any;
    this.copies = copies;
  }

  /**
   * Checks the nodes that have a pool.
   *
   * @param any any header of the pool
   * @param copies required number of copies; 0 accepts any number
   * @throws PoolOpenException if a node does not fit; the message names it
   */
  static void run(NodeProbe nodeProbe, NodeHeader any, int copies) {
    HeaderCheck check = new HeaderCheck(nodeProbe, any, copies);
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.hasPool(node)) {
        NodeHeader header = nodeProbe.header(node);
        check.checkFormat(node, header);
        check.checkIdentity(node, header);
        check.checkSizes(node, header);
      }
    }
  }

  private void checkFormat(int node, NodeHeader header) {
    String name = nameOf(node);
    if (!header.isReplicated()) {
      throw new PoolOpenException(
          name
              + " does not have a copy of this pool: name all nodes of one pool, in order"
              + " field=magic found=0x"
              + Long.toHexString(header.magic()));
    }
    if (!NodeHeaderLayout.isReadable(header.format())) {
      throw new PoolOpenException(
          name
              + " has pool format "
              + header.format()
              + ", this version reads formats 1 to "
              + NodeHeaderLayout.FORMAT
              + ": open it with the version that wrote it, and copy the data by SQL");
    }
  }

  private void checkIdentity(int node, NodeHeader header) {
    if (header.poolId() != any.poolId()) {
      throw new PoolOpenException(
          nameOf(node) + " belongs to another pool than the others: name the nodes of one pool");
    }
    if (header.nodes() != nodeProbe.nodes()) {
      throw new PoolOpenException(
          "the pool has "
              + header.nodes()
              + " memory nodes, "
              + nodeProbe.nodes()
              + " were named: name all of them, in order");
    }
    if (header.node() != node) {
      throw new PoolOpenException(
          "memory node "
              + header.node()
              + " of the pool was named at index "
              + node
              + ": name the nodes in order");
    }
  }

  private void checkSizes(int node, NodeHeader header) {
    if (header.nodeBytes() != nodeProbe.connection(node).nodeBytes()) {
      throw new PoolOpenException(
          nameOf(node)
              + " does not have the size it had when the pool was created expected="
              + header.nodeBytes());
    }
    if (copies != 0 && header.copies() != copies) {
      throw new PoolOpenException(
          "the pool has "
              + header.copies()
              + " copies of all data, replicas="
              + copies
              + " was requested: omit it, or set it to that number");
    }
  }

  private String nameOf(int node) {
    return "memory node " + nodeProbe.name(node);
  }
}
