package org.nelumbo.planner.join;

import org.nelumbo.planner.relation.CostModel;

/** How some relations are joined. */
public sealed interface JoinTree {
  /** About how many rows it gives. */
  double rows();

  /** What it costs, see {@link CostModel}. */
  double cost();

  /** A relation to begin with, read under its own conditions. */
  record Start(int leaf, double rows, double cost) implements JoinTree {}

  /**
   * A relation that is joined to those before it.
   *
   * @param hashed whether it is read as a whole and hashed; else it is read by keys
   */
  record Added(JoinTree left, int leaf, boolean hashed, double rows, double cost)
      implements JoinTree {}

  /** Two joins of several relations each, one of which is hashed. */
  record Hashed(JoinTree left, JoinTree right, double rows, double cost) implements JoinTree {}
}
