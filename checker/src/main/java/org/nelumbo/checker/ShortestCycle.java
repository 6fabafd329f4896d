package org.nelumbo.checker;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * Finds the best cycle among the nodes of a strongly connected component, over some kinds of edges:
 * the cycle with the fewest anti-dependencies, and then with the fewest dependencies. The search
 * starts from every node of a small component, and from some nodes of a large one.
 */
final class ShortestCycle {
  private static final long ANTI_COST = 1L << 20;
  private static final long WORK_MAX = 20_000_000;

  private final DependencyGraph graph;
  private final int kinds;
  private final int[] component;
  private final int part;
  private final long[] cost;
  private final int[] arrival;
  private final int[] source;
  private long bestCost = Long.MAX_VALUE;
  private int bestStart = -1;
  private int[] best;

  ShortestCycle(DependencyGraph graph, int kinds, int[] component, int part) {
    this.graph = graph;
    this.kinds = kinds;
    this.component = component;
    this.part = part;
    this.cost = new long[graph.nodes()];
    this.arrival = new int[graph.nodes()];
    this.source = new int[graph.nodes()];
  }

  /** Returns the cycle, or null if there is none. */
  Cycle find(int size) {
    long budget = Math.max(4, WORK_MAX / Math.max(1, 8L * size));
    for (int node = 0; node < graph.nodes() && budget > 0; node++) {
      if (component[node] == part && graph.owner(node) >= 0) {
        searchFrom(node);
        budget--;
      }
    }
    return best == null ? null : Cycle.of(graph, bestStart, best);
  }

  /** Runs Dijkstra's algorithm; queue entries contain cost and node. */
  private void searchFrom(int start) {
    Arrays.fill(cost, Long.MAX_VALUE);
    PriorityQueue<long[]> queue =
        new PriorityQueue<>((one, other) -> Long.compare(one[0], other[0]));
    queue.add(new long[] {0, start});
    while (!queue.isEmpty()) {
      long[] head = queue.poll();
      int node = (int) head[1];
      if (node == start && head[0] > 0) {
        keep(start, head[0]);
        return;
      }
      if (head[0] >= bestCost || head[0] > cost[node]) {
        continue;
      }
      for (int edge = graph.firstEdge(node); edge < graph.endEdge(node); edge++) {
        int target = graph.target(edge);
        if (graph.isIn(edge, kinds) && component[target] == part) {
          relax(node, edge, target, head[0] + costOf(edge), queue);
        }
      }
    }
  }

  private void relax(int node, int edge, int target, long reached, PriorityQueue<long[]> queue) {
    if (reached < cost[target]) {
      cost[target] = reached;
      arrival[target] = edge;
      source[target] = node;
      queue.add(new long[] {reached, target});
    }
  }

  /**
   * Returns the cost of an edge. A dependency is counted where it reaches a transaction, an
   * anti-dependency where it starts.
   */
  private long costOf(int edge) {
    EdgeKind kind = graph.kind(edge);
    long base = kind.isAnti() ? ANTI_COST : 0;
    return base + (graph.owner(graph.target(edge)) >= 0 ? 1 : 0);
  }

  private void keep(int start, long reached) {
    if (reached >= bestCost) {
      return;
    }
    bestCost = reached;
    bestStart = start;
    int[] reversed = new int[16];
    int count = 0;
    int node = start;
    do {
      reversed = count == reversed.length ? Arrays.copyOf(reversed, count * 2) : reversed;
      reversed[count++] = arrival[node];
      node = source[node];
    } while (node != start);
    best = new int[count];
    for (int i = 0; i < count; i++) {
      best[i] = reversed[count - 1 - i];
    }
  }
}
