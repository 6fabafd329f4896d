package org.nelumbo.dm.replication.view;

import org.nelumbo.dm.pool.NodeConnection;

/**
 * Membership of the pool: which memory nodes are live (have every write that was acknowledged),
 * which are being filled, and which are out. Immutable. Nodes become live, or cease to be, with a
 * new view number. All nodes that are live in the new view know it before anybody acts on it.
 */
public final class View {
  private final long number;
  private final Placement placement;
  private final NodeConnection[] connections;
  private final ResyncProgress[] resyncs;
  private final int[] primaryCopies;
  private final int liveCopies;

  /**
   * @param connections of each node; null: it is out
   * @param resyncs of the nodes that are being filled, null for others
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

  /** Live copies of the logical node that has fewest. */
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

  /** The connection to a node, null if it is out. */
  public NodeConnection connection(int node) {
    return connections[node];
  }

  /** Progress of a node that is being filled, null if it is not. */
  public ResyncProgress resync(int node) {
    return resyncs[node];
  }

  public boolean isLive(int node) {
    return connections[node] != null && resyncs[node] == null;
  }

  /** Whether memory nodes do all that a flush has sent to them or nothing. */
  public boolean executesFrames() {
    return connections[primary(0)].executesFrames();
  }

  /** Bit by bit. */
  public long liveNodes() {
    long bits = 0;
    for (int node = 0; node < connections.length; node++) {
      bits |= isLive(node) ? 1L << node : 0;
    }
    return bits;
  }

  /** The nodes that have a part in it, live or not, bit by bit. */
  public long connectedNodes() {
    long bits = 0;
    for (int node = 0; node < connections.length; node++) {
      bits |= connections[node] != null ? 1L << node : 0;
    }
    return bits;
  }

  /** The node that is being filled, -1 if none is. */
  public int filling() {
    for (int node = 0; node < resyncs.length; node++) {
      if (resyncs[node] != null) {
        return node;
      }
    }
    return -1;
  }

  /** The first live copy. */
  public int primaryCopy(int logical) {
    return primaryCopies[logical];
  }

  /** The memory node with the first live copy. */
  public int primary(int logical) {
    return placement.node(logical, primaryCopies[logical]);
  }

  /** The live copy on a memory node, or the first one if that has none. */
  public int copyOn(int node, int logical) {
    int copy = placement.copy(node, logical);
    return copy < placement.copies() && isLive(node) ? copy : primaryCopies[logical];
  }

  /** Whether a write at that offset of a logical node goes to this copy. */
  public boolean writesTo(int logical, int copy, long offset) {
    int node = placement.node(logical, copy);
    return connections[node] != null
        && (resyncs[node] == null || resyncs[node].covers(placement.slot(logical, copy), offset));
  }

  /** A logical node of which no copy is live, -1 if there is none. */
  public int lost() {
    for (int logical = 0; logical < primaryCopies.length; logical++) {
      if (primaryCopies[logical] < 0) {
        return logical;
      }
    }
    return -1;
  }

  /** A copy with another number. */
  public View with(long newNumber) {
    return new View(newNumber, placement, connections, resyncs);
  }

  /** A copy with another connection of a node, or none. */
  public View with(
      long newNumber, int node, NodeConnection connection, ResyncProgress resyncProgress) {
    NodeConnection[] others = connections.clone();
    ResyncProgress[] otherResyncs = resyncs.clone();
    others[node] = connection;
    otherResyncs[node] = resyncProgress;
    return new View(newNumber, placement, others, otherResyncs);
  }
}
