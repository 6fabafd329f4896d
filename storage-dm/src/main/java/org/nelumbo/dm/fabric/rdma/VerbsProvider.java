package org.nelumbo.dm.fabric.rdma;

/**
 * The library through which a process uses its RDMA device. The choice is invisible to memory
 * nodes.
 */
public enum VerbsProvider {
  /** libibverbs through the foreign function interface. */
  IBVERBS,

  /** DiSNI, a Java library. */
  DISNI;

  /**
   * Parses the name of a provider.
   *
   * @throws IllegalArgumentException if it is another word
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
