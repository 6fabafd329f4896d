package org.nelumbo.dm.replication.view;

/** Sets of nodes, a bit each, for people. */
public final class NodeBits {
  private NodeBits() {}

  /** Their numbers, as in {@code 0,2}; {@code none}, if there is none. */
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
