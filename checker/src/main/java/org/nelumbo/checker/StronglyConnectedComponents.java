package org.nelumbo.checker;

import java.util.Arrays;

/**
 * Strongly connected components (Tarjan 1972), computed without recursion, over some kinds of edges
 * and a subset of the nodes.
 */
final class StronglyConnectedComponents {
  private final DependencyGraph graph;
  private final int kinds;
  private final int[] within;
  private final int part;

  private final int[] number;
  private final int[] low;
  private final int[] component;
  private final int[] stack;
  private final int[] path;
  private final int[] nextEdge;
  private int numbered;
  private int stackSize;
  private int pathSize;
  private int components;

  /** Computes the components of the whole graph. */
  StronglyConnectedComponents(DependencyGraph graph, int kinds) {
    this(graph, kinds, null, 0);
  }

  /** Computes the components of the nodes whose element in {@code within} equals {@code part}. */
  StronglyConnectedComponents(DependencyGraph graph, int kinds, int[] within, int part) {
    this.graph = graph;
    this.kinds = kinds;
    this.within = within;
    this.part = part;
    int nodes = graph.nodes();
    number = new int[nodes];
    low = new int[nodes];
    component = new int[nodes];
    stack = new int[nodes];
    path = new int[nodes];
    nextEdge = new int[nodes];
    Arrays.fill(component, -1);
    for (int node = 0; node < nodes; node++) {
      if (number[node] == 0 && isWithin(node)) {
        explore(node);
      }
    }
  }

  private boolean isWithin(int node) {
    return within == null || within[node] == part;
  }

  private void explore(int root) {
    enter(root);
    while (pathSize > 0) {
      int node = path[pathSize - 1];
      if (nextEdge[node] == graph.endEdge(node)) {
        leave(node);
        continue;
      }
      int edge = nextEdge[node]++;
      int target = graph.target(edge);
      if (!graph.isIn(edge, kinds) || !isWithin(target)) {
        continue;
      }
      if (number[target] == 0) {
        enter(target);
      } else if (component[target] < 0) {
        low[node] = Math.min(low[node], number[target]);
      }
    }
  }

  private void enter(int node) {
    number[node] = ++numbered;
    low[node] = numbered;
    nextEdge[node] = graph.firstEdge(node);
    stack[stackSize++] = node;
    path[pathSize++] = node;
  }

  private void leave(int node) {
    pathSize--;
    if (pathSize > 0) {
      int parent = path[pathSize - 1];
      low[parent] = Math.min(low[parent], low[node]);
    }
    if (low[node] == number[node]) {
      int member;
      do {
        member = stack[--stackSize];
        component[member] = components;
      } while (member != node);
      components++;
    }
  }

  /** Returns the component of each node; -1 for other nodes. */
  int[] ofNodes() {
    return component;
  }

  /** Returns the number of nodes of each component. */
  int[] sizes() {
    int[] sizes = new int[components];
    for (int each : component) {
      if (each >= 0) {
        sizes[each]++;
      }
    }
    return sizes;
  }
}
