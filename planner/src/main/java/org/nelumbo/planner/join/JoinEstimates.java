package org.nelumbo.planner.join;

import java.util.BitSet;

/** Estimated costs and row counts of joins. */
public interface JoinEstimates {
  /**
   * The estimate of joining one more relation.
   *
   * @param cost cost of this join alone
   * @param hashed whether reading the whole relation is cheaper than reading it by keys
   * @param rows number of rows of the join
   */
  record Step(double cost, boolean hashed, double rows) {}

  /** Returns the number of rows of a relation under its own conditions. */
  double rows(int leaf);

  /** Returns the cost of starting with a relation. */
  double start(int leaf);

  /**
   * Estimates joining a relation to a set.
   *
   * @param rows number of rows of the set
   */
  Step step(double rows, BitSet set, int leaf);

  /** Returns the relations with which a relation has an equality. */
  BitSet neighbours(int leaf);

  /** Returns the selectivity of the equalities between two sets. */
  double share(BitSet left, BitSet right);
}
