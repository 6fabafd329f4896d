package org.nelumbo.dm.fabric.rdma;

/** The library through which a process uses its RDMA device; what memory nodes see is the same. */
public enum VerbsProvider {
  /** libibverbs, by foreign functions. */
  IBVERBS,

  /** DiSNI, a library for Java. */
  DISNI;

  /**
   * Reads the name of one.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static VerbsProvider parse(String text) {
    for (VerbsProvider each : values()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is neither ibverbs nor disni");
  }
}
