package org.nelumbo.dm.index.tree;

/**
 * Size and fill of an ordered index.
 *
 * @param height number of levels, leaves included
 * @param innerNodes number of inner nodes
 * @param leaves number of leaves
 * @param emptyLeaves number of leaves without entries
 * @param entries number of entries
 * @param bytes pool memory of all nodes
 * @param leafFill share of the leaves' bytes in use
 * @param missingSeparators number of nodes that are reached from their left sibling only
 */
public record TreeStatistics(
    int height,
    long innerNodes,
    long leaves,
    long emptyLeaves,
    long entries,
    long bytes,
    double leafFill,
    long missingSeparators) {
  /** Returns the average number of entries per leaf. */
  double entriesPerLeaf() {
    return (double) entries / leaves;
  }
}
