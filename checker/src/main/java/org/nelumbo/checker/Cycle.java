package org.nelumbo.checker;

import java.util.ArrayList;
import java.util.List;

/**
 * A cycle of dependencies between transactions: each one precedes the next, and the last one
 * precedes the first.
 *
 * @param steps dependencies in order
 */
record Cycle(List<Step> steps) {
  /**
   * A dependency.
   *
   * @param from the preceding transaction
   * @param to the following transaction
   * @param kind reason of the dependency
   * @param key number of the key of the dependency
   */
  record Step(int from, int to, EdgeKind kind, int key) {}

  Cycle {
    steps = List.copyOf(steps);
  }

  /**
   * Creates a cycle from the edges of a closed path that begins at a transaction's node. Nodes
   * without a transaction are skipped.
   */
  static Cycle of(DependencyGraph graph, int firstNode, int[] edges) {
    List<Step> steps = new ArrayList<>();
    int from = graph.owner(firstNode);
    EdgeKind kind = EdgeKind.INSIDE;
    int key = 0;
    for (int edge : edges) {
      if (kind == EdgeKind.INSIDE) {
        kind = graph.kind(edge);
        key = graph.key(edge);
      }
      int owner = graph.owner(graph.target(edge));
      if (owner >= 0) {
        if (kind != EdgeKind.INSIDE) {
          steps.add(new Step(from, owner, kind, key));
        }
        from = owner;
        kind = EdgeKind.INSIDE;
      }
    }
    return new Cycle(steps);
  }

  int count(EdgeKind kind) {
    int count = 0;
    for (Step step : steps) {
      count += step.kind() == kind ? 1 : 0;
    }
    return count;
  }

  /** Returns the number of anti-dependencies. */
  int antiCount() {
    return count(EdgeKind.RW) + count(EdgeKind.PREDICATE_RW);
  }

  /** Returns true if two anti-dependencies are adjacent. */
  boolean hasAdjacentAnti() {
    boolean before = steps.getLast().kind().isAnti();
    for (Step step : steps) {
      if (before && step.kind().isAnti()) {
        return true;
      }
      before = step.kind().isAnti();
    }
    return false;
  }

  /** Returns the name of the anomaly. */
  AnomalyKind name() {
    boolean sameKey = steps.stream().mapToInt(Step::key).distinct().count() == 1;
    return switch (antiCount()) {
      case 0 ->
          count(EdgeKind.WR) == 0 && count(EdgeKind.WW) > 0 ? AnomalyKind.G0 : AnomalyKind.G1C;
      case 1 ->
          steps.size() == 2 && count(EdgeKind.WW) == 1 && sameKey
              ? AnomalyKind.LOST_UPDATE
              : AnomalyKind.G_SINGLE;
      default -> nameOfSeveralAnti();
    };
  }

  private AnomalyKind nameOfSeveralAnti() {
    if (!hasAdjacentAnti()) {
      boolean fork = steps.size() == 4 && count(EdgeKind.WR) == 2;
      return fork ? AnomalyKind.LONG_FORK : AnomalyKind.G_NONADJACENT;
    }
    return count(EdgeKind.PREDICATE_RW) > 0 ? AnomalyKind.G2 : AnomalyKind.G2_ITEM;
  }

  /** Returns the order that the cycle needs in addition to data dependencies. */
  Anomaly.Order order() {
    return count(EdgeKind.REAL_TIME) > 0
        ? Anomaly.Order.REAL_TIME
        : count(EdgeKind.SESSION) > 0 ? Anomaly.Order.SESSION : Anomaly.Order.DATA;
  }
}
