package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.session.Isolation;

/**
 * The dependencies between transactions, as a graph that has a cycle exactly if no execution
 * explains the dependencies.
 *
 * <p>A serializable transaction is one node, because it takes effect at one time. A snapshot
 * transaction has two nodes, its snapshot and its commit, with an edge between them.
 *
 * <ul>
 *   <li>The transactions on which it depends (ww, wr, session, real time) committed before its
 *       snapshot: an edge from commit to snapshot. For ww this is the first-committer-wins rule.
 *   <li>A transaction whose write it did not see (rw) committed after its snapshot: an edge from
 *       snapshot to commit.
 * </ul>
 *
 * <p>Therefore two adjacent rw edges between snapshot transactions do not connect, and write skew
 * is not a cycle, while every cycle that snapshot isolation forbids is one.
 *
 * <p>Nodes without a transaction represent many-to-many relations in linear size.
 */
final class DependencyGraph {
  private static final int NOBODY = -1;
  private static final int KIND_BITS = 3;

  private final int[] snapshotNode;
  private final int[] commitNode;
  private int[] owner;
  private int nodes;

  private int edges;
  private int[] from = new int[256];
  private int[] to = new int[256];
  private int[] label = new int[256];

  private int[] first;
  private int[] targets;
  private int[] labels;

  DependencyGraph(History history, EffectiveTransactions effectiveTransactions) {
    int size = history.size();
    snapshotNode = new int[size];
    commitNode = new int[size];
    owner = new int[Math.max(16, 2 * size)];
    for (int t = 0; t < size; t++) {
      if (effectiveTransactions.happened(t)) {
        snapshotNode[t] = newNode(t);
        boolean single = history.isolation(t) == Isolation.SERIALIZABLE;
        commitNode[t] = single ? snapshotNode[t] : newNode(t);
        if (!single) {
          addEdge(snapshotNode[t], commitNode[t], EdgeKind.INSIDE, 0);
        }
      }
    }
  }

  private int newNode(int transaction) {
    if (nodes == owner.length) {
      owner = Arrays.copyOf(owner, nodes * 2);
    }
    owner[nodes] = transaction;
    return nodes++;
  }

  /** Adds a node without a transaction. */
  int newNode() {
    return newNode(NOBODY);
  }

  /**
   * Adds a dependency of one transaction on another.
   *
   * @param key number of the key of the dependency, 0 if none
   */
  void add(int before, int after, EdgeKind kind, int key) {
    if (before == after) {
      return;
    }
    if (kind.isAnti()) {
      addEdge(snapshotNode[before], commitNode[after], kind, key);
    } else {
      addEdge(commitNode[before], snapshotNode[after], kind, key);
    }
  }

  /** Adds an edge from a transaction to a node without a transaction. */
  void addOut(int before, int node, EdgeKind kind, int key) {
    addEdge(kind.isAnti() ? snapshotNode[before] : commitNode[before], node, kind, key);
  }

  /** Adds an edge from a node without a transaction to a transaction. */
  void addIn(int node, int after, EdgeKind kind, boolean anti) {
    addEdge(node, anti ? commitNode[after] : snapshotNode[after], kind, 0);
  }

  /** Adds an edge between two nodes without a transaction. */
  void addBetween(int one, int other, EdgeKind kind) {
    addEdge(one, other, kind, 0);
  }

  private void addEdge(int source, int target, EdgeKind kind, int key) {
    if (edges == from.length) {
      int capacity = edges * 2;
      from = Arrays.copyOf(from, capacity);
      to = Arrays.copyOf(to, capacity);
      label = Arrays.copyOf(label, capacity);
    }
    from[edges] = source;
    to[edges] = target;
    label[edges] = key << KIND_BITS | kind.ordinal();
    edges++;
  }

  /** Sorts the edges by their source; nothing can be added afterwards. */
  void seal() {
    first = new int[nodes + 1];
    for (int i = 0; i < edges; i++) {
      first[from[i] + 1]++;
    }
    for (int i = 0; i < nodes; i++) {
      first[i + 1] += first[i];
    }
    int[] next = Arrays.copyOf(first, nodes);
    targets = new int[edges];
    labels = new int[edges];
    for (int i = 0; i < edges; i++) {
      int at = next[from[i]]++;
      targets[at] = to[i];
      labels[at] = label[i];
    }
    from = null;
    to = null;
    label = null;
  }

  int nodes() {
    return nodes;
  }

  int edges() {
    return edges;
  }

  /** Returns the first edge of a node; the edges of a node have consecutive numbers. */
  int firstEdge(int node) {
    return first[node];
  }

  int endEdge(int node) {
    return first[node + 1];
  }

  int target(int edge) {
    return targets[edge];
  }

  EdgeKind kind(int edge) {
    return EdgeKind.of(labels[edge] & ((1 << KIND_BITS) - 1));
  }

  /** Returns the number of the key of an edge. */
  int key(int edge) {
    return labels[edge] >>> KIND_BITS;
  }

  boolean isIn(int edge, int kinds) {
    return (kinds & 1 << (labels[edge] & ((1 << KIND_BITS) - 1))) != 0;
  }

  /** Returns the transaction of a node; negative if it has none. */
  int owner(int node) {
    return owner[node];
  }
}
