package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.verbs.ReplicatedFlush;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admission of memory nodes that can be reached again. Checks that a node fits the pool, and logs
 * once why one is not used. Confined to the view-change thread.
 */
final class NodeAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAdmission.class);

  private final Membership membership;
  private final Reconnector reconnector;
  private final boolean isDurable;

  /** Latest rejection of each node, so that it is logged once. */
  private final String[] rejections;

  /**
   * Creates the admission to a pool.
   *
   * @param isDurable true if its memory nodes keep logs
   */
  NodeAdmission(Membership membership, Reconnector reconnector, boolean isDurable) {
    this.membership = membership;
    this.reconnector = reconnector;
    this.isDurable = isDurable;
    this.rejections = new String[membership.view().placement().nodes()];
  }

  /** Records why a node is not used; returns false if the same reason is already recorded. */
  boolean note(int node, String message) {
    boolean isNew = !message.equals(rejections[node]);
    rejections[node] = message;
    return isNew;
  }

  /** Records that a node is used. */
  void noteUsed(int node) {
    rejections[node] = null;
  }

  /**
   * Returns true if a node was last excluded because its file cannot grow. Such a node is retried
   * until there is room.
   */
  boolean wantsRoom(int node) {
    return rejections[node] != null && rejections[node].startsWith(ReplicatedFlush.NO_ROOM_TEXT);
  }

  /** Returns a view with a node that is filled from the beginning. */
  static View with(View view, int node, NodeConnection back) {
    return view.with(view.number(), node, back, new ResyncProgress(view.placement().slots()));
  }

  /**
   * Reads the header of a node that was reached.
   *
   * @return null if the node has failed or is not admissible; then its connection is closed
   */
  NodeHeader header(View view, int node) {
    NodeConnection back = reconnector.reached(node);
    NodeHeader header = membership.headers().read(with(view, node, back), node);
    if (header == null || !isAdmissible(node, header, back)) {
      reconnector.letGo(node);
      return null;
    }
    return header;
  }

  /**
   * Returns the connection to a given incarnation of a node that was reached, or null if there is
   * none.
   */
  NodeConnection connection(int node, long incarnation) {
    NodeConnection back = reconnector.reached(node);
    NodeHeader header = back == null ? null : header(membership.view(), node);
    return header != null && header.incarnation() == incarnation ? back : null;
  }

  /** Returns true if a node is admissible; logs the reason otherwise. */
  boolean isAdmissible(int node, NodeHeader header, NodeConnection back) {
    String rejection = rejection(membership.view().placement(), node, header, back);
    if (rejection == null) {
      return true;
    }
    if (note(node, rejection)) {
      LOG.warn("memory node {} is not used: {}", reconnector.name(node), rejection);
    }
    membership.currentView().health().setFailure(node, rejection);
    return false;
  }

  private String rejection(
      Placement placement, int node, NodeHeader header, NodeConnection connection) {
    long bytes = connection.nodeBytes();
    if ((connection.log() != null) != isDurable) {
      return isDurable
          ? "it is not durable, unlike the others: start it with --durable"
          : "it is durable (--durable), unlike the others";
    }
    if (bytes < placement.bytes()) {
      return "it has "
          + bytes
          + " bytes, the pool needs "
          + placement.bytes()
          + " of each node: start it with as much --memory as the others";
    }
    if (header.isEmpty()) {
      return null;
    }
    if (header.magic() != NodeHeaderLayout.MAGIC
        || header.poolId() != membership.headers().poolId()) {
      return "its memory belongs to another pool; clear it (remove its --data) to use it here";
    }
    return header.node() == node
        ? null
        : "it is memory node " + header.node() + " of this pool, named at the index of another one";
  }
}
