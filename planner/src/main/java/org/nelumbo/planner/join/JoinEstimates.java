package org.nelumbo.planner.join;

import java.util.BitSet;

/** What joins of some relations cost, and how many rows they give. */
public interface JoinEstimates {
  /**
   * A relation joined to others.
   *
   * @param cost of this join alone
   * @param hashed whether it is cheaper to read the relation as a whole than by keys
   * @param rows that the join has
   */
  record Step(double cost, boolean hashed, double rows) {}

  /** Rows of one relation under its own conditions. */
  double rows(int leaf);

  /** The cost of beginning with a relation. */
  double start(int leaf);

  /**
   * The cost of joining a relation.
   *
   * @param rows of the set
   */
  Step step(double rows, BitSet set, int leaf);

  /** Relations with which a relation has an equality. */
  BitSet neighbours(int leaf);

  /** The share of the combinations of two sets' rows that belong together. */
  double share(BitSet left, BitSet right);
}
