package org.nelumbo.dm.pool;

/**
 * Thrown when a verb has an address that is in no memory node of the pool. Addresses come from the
 * pool itself, so the structure that the address was read from is damaged.
 */
public final class OutsidePoolException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception for a verb.
   *
   * @param length number of bytes that the verb accesses
   * @param nodes number of memory nodes of the pool, or of logical ones
   */
  public OutsidePoolException(long address, int length, int nodes) {
    super(
        "outside the pool address="
            + PoolAddress.toString(address)
            + " length="
            + length
            + " nodes="
            + nodes);
  }
}
