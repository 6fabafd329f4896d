package org.nelumbo.dm.replication.view;

import org.nelumbo.dm.pool.NodeConnection;

/**
 * Membership of the memory nodes in the pool: which nodes are live (have every acknowledged write),
 * which are being filled, and which are out. The set of live nodes changes only together with the
 * view number. A new view is written to all of its live nodes before any compute node uses it.
 * Immutable.
 */
public final class View {
  private final long number;
  private final Placement placement;
  private final NodeConnection[] connections;
  private final ResyncProgress[] resyncs;
  private final int[] primaryCopies;
  private final int liveCopies;

  /**
   * @param connections connection to each node, or null if the node is out
   * @param resyncs progress of each node that is being filled, and null for other nodes
   */
  public View(
      long number, Placement placement, NodeConnection[] connections, ResyncProgress[] resyncs) {
    this.number = number;
    this.placement = placement;
    this.connections = connections.clone();
    this.resyncs = resyncs.clone();
    this.primaryCopies = new int[placement.logicals()];
    int fewest = placement.copies();
    for (int logical = 0; logical < primaryCopies.length; logical++) {
      primaryCopies[logical] = firstLive(logical);
      fewest = Math.min(fewest, countLive(logical));
    }
    this.liveCopies = fewest;
  }

  private int countLive(int logical) {
    int count = 0;
    for (int copy = 0; copy < placement.copies(); copy++) {
      count += isLive(placement.node(logical, copy)) ? 1 : 0;
    }
    return count;
  }

  /** Returns the smallest number of live copies of any logical node. */
  public int liveCopies() {
    return liveCopies;
  }

  private int firstLive(int logical) {
    for (int copy = 0; copy < placement.copies(); copy++) {
      if (isLive(placement.node(logical, copy))) {
        return copy;
      }
    }
    return -1;
  }

  public long number() {
    return number;
  }

  public Placement placement() {
    return placement;
  }

  /** Returns the connection to a node, or null if the node is out. */
  public NodeConnection connection(int node) {
    return connections[node];
  }

  /** Returns the progress of a node that is being filled, or null for other nodes. */
  public ResyncProgress resync(int node) {
    return resyncs[node];
  }

  public boolean isLive(int node) {
    return connections[node] != null && resyncs[node] == null;
  }

  /**
   * Returns true if memory nodes execute either all or none of the verbs that one flush sends to
   * them.
   */
  public boolean executesFrames() {
    return connections[primary(0)].executesFrames();
  }

  /** Returns the live nodes, one bit per node. */
  public long liveNodes() {
    long bits = 0;
    for (int node = 0; node < connections.length; node++) {
      bits |= isLive(node) ? 1L << node : 0;
    }
    return bits;
  }

  /** Returns the nodes that are part of the view, live or being filled, one bit per node. */
  public long connectedNodes() {
    long bits = 0;
    for (int node = 0; node < connections.length; node++) {
      bits |= connections[node] != null ? 1L << node : 0;
    }
    return bits;
  }

  /** Returns the node that is being filled, or -1 if there is none. */
  public int filling() {
    for (int node = 0; node < resyncs.length; node++) {
      if (resyncs[node] != null) {
        return node;
      }
    }
    return -1;
  }

  /** Returns the number of the primary copy, which is the first live one. */
  public int primaryCopy(int logical) {
    return primaryCopies[logical];
  }

  /** Returns the memory node of the primary copy. */
  public int primary(int logical) {
    return placement.node(logical, primaryCopies[logical]);
  }

  /** Returns the live copy on a memory node, or the primary copy if the node has none. */
  public int copyOn(int node, int logical) {
    int copy = placement.copy(node, logical);
    return copy < placement.copies() && isLive(node) ? copy : primaryCopies[logical];
  }

  /** Returns true if a write at this offset of a logical node goes to a copy. */
  public boolean writesTo(int logical, int copy, long offset) {
    int node = placement.node(logical, copy);
    return connections[node] != null
        && (resyncs[node] == null || resyncs[node].covers(placement.slot(logical, copy), offset));
  }

  /** Returns a logical node without a live copy, or -1 if there is none. */
  public int lost() {
    for (int logical = 0; logical < primaryCopies.length; logical++) {
      if (primaryCopies[logical] < 0) {
        return logical;
      }
    }
    return -1;
  }

  /** Returns a copy with another number. */
  public View with(long newNumber) {
    return new View(newNumber, placement, connections, resyncs);
  }

  /**
   * Returns a copy with another number and another connection of one node.
   *
   * @param connection new connection, or null to take the node out
   * @param resyncProgress progress if the node is being filled, else null
   */
  public View with(
      long newNumber, int node, NodeConnection connection, ResyncProgress resyncProgress) {
    NodeConnection[] others = connections.clone();
    ResyncProgress[] otherResyncs = resyncs.clone();
    others[node] = connection;
    otherResyncs[node] = resyncProgress;
    return new View(newNumber, placement, others, otherResyncs);
  }
}
