package org.nelumbo.dm.fabric.replica;

import org.nelumbo.dm.fabric.NodeFabric;

/**
 * Which memory nodes have a part in the pool: live ones, which have every write that was
 * acknowledged; those being filled; the others are out. Immutable. Nodes become live, or cease to
 * be, with a new number, which all that are live then know before anybody acts on it.
 */
final class View {
  private final long number;
  private final Placement placement;
  private final NodeFabric[] connections;
  private final Filling[] fillings;
  private final int[] primaryCopies;

  /**
   * @param connections of each node; null: it is out
   * @param fillings of the nodes that are being filled, null for others
   */
  View(long number, Placement placement, NodeFabric[] connections, Filling[] fillings) {
    this.number = number;
    this.placement = placement;
    this.connections = connections.clone();
    this.fillings = fillings.clone();
    this.primaryCopies = new int[placement.logicals()];
    for (int logical = 0; logical < primaryCopies.length; logical++) {
      primaryCopies[logical] = firstLive(logical);
    }
  }

  private int firstLive(int logical) {
    for (int copy = 0; copy < placement.copies(); copy++) {
      if (isLive(placement.node(logical, copy))) {
        return copy;
      }
    }
    return -1;
  }

  long number() {
    return number;
  }

  Placement placement() {
    return placement;
  }

  /** The connection to a node, null if it is out. */
  NodeFabric connection(int node) {
    return connections[node];
  }

  /** How far a node is filled, null if it is not being filled. */
  Filling filling(int node) {
    return fillings[node];
  }

  boolean isLive(int node) {
    return connections[node] != null && fillings[node] == null;
  }

  /** Bit by bit. */
  long liveNodes() {
    long bits = 0;
    for (int node = 0; node < connections.length; node++) {
      bits |= isLive(node) ? 1L << node : 0;
    }
    return bits;
  }

  /** The first live copy. */
  int primaryCopy(int logical) {
    return primaryCopies[logical];
  }

  /** The memory node with the first live copy. */
  int primary(int logical) {
    return placement.node(logical, primaryCopies[logical]);
  }

  /** The live copy on a memory node, or the first one if that has none. */
  int copyOn(int node, int logical) {
    int copy = placement.copy(node, logical);
    return copy < placement.copies() && isLive(node) ? copy : primaryCopies[logical];
  }

  /** Whether a write at that offset of a logical node goes to this copy. */
  boolean writesTo(int logical, int copy, long offset) {
    int node = placement.node(logical, copy);
    return connections[node] != null
        && (fillings[node] == null || fillings[node].covers(placement.slot(logical, copy), offset));
  }

  /** A logical node of which no copy is live, -1 if there is none. */
  int lost() {
    for (int logical = 0; logical < primaryCopies.length; logical++) {
      if (primaryCopies[logical] < 0) {
        return logical;
      }
    }
    return -1;
  }

  /** The same with another number. */
  View with(long newNumber) {
    return new View(newNumber, placement, connections, fillings);
  }

  /** The same with another connection of a node, or none. */
  View with(long newNumber, int node, NodeFabric connection, Filling filling) {
    NodeFabric[] others = connections.clone();
    Filling[] otherFillings = fillings.clone();
    others[node] = connection;
    otherFillings[node] = filling;
    return new View(newNumber, placement, others, otherFillings);
  }
}
