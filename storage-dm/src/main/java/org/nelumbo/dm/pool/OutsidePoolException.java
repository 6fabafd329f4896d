package org.nelumbo.dm.pool;

/**
 * A verb has an address that no memory node of the pool has. Addresses come from the pool itself,
 * so what it was read from is damaged.
 */
public final class OutsidePoolException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * @param length bytes that the verb is for
   * @param nodes memory nodes of the pool, or logical ones
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
