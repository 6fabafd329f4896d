package org.nelumbo.planner.join;

import org.nelumbo.planner.relation.CostModel;

/** The order and the methods of joining a set of relations. */
public sealed interface JoinTree {
  /** Returns the estimated number of rows. */
  double rows();

  /** Returns the estimated cost, see {@link CostModel}. */
  double cost();

  /** The first relation, read under its own conditions. */
  record Start(int leaf, double rows, double cost) implements JoinTree {}

  /**
   * A relation joined to the ones before it.
   *
   * @param hashed whether it is read as a whole and hashed; else it is read by keys
   */
  record Added(JoinTree left, int leaf, boolean hashed, double rows, double cost)
      implements JoinTree {}

  /** A join of two joins, each of several relations, one of which is hashed. */
  record Hashed(JoinTree left, JoinTree right, double rows, double cost) implements JoinTree {}
}
