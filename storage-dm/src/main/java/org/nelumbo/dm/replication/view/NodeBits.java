package org.nelumbo.dm.replication.view;

/** Operations on sets of nodes that are represented as one bit per node. */
public final class NodeBits {
  private NodeBits() {}

  /**
   * Returns the node numbers as text, for example {@code 0,2}, or {@code none} for the empty set.
   */
  public static String toString(long bits) {
    if (bits == 0) {
      return "none";
    }
    StringBuilder out = new StringBuilder();
    for (long left = bits; left != 0; left &= left - 1) {
      out.append(out.isEmpty() ? "" : ",").append(Long.numberOfTrailingZeros(left));
    }
    return out.toString();
  }

  public static boolean has(long bits, int node) {
    return (bits >>> node & 1) != 0;
  }

  public static long all(int nodes) {
    return nodes == Long.SIZE ? -1 : (1L << nodes) - 1;
  }
}
