package org.nelumbo.dm.pool;

/**
 * Thrown when the content of a needed page of a memory node was lost: memory of the pool is
 * damaged.
 */
public final class DamagedPageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception for a page.
   *
   * @param node name of the memory node, such as its file; empty if it has none
   * @param address address of the page
   */
  public DamagedPageException(String node, long address) {
    super(
        "a page of memory node "
            + (node.isEmpty() ? PoolAddress.node(address) : node)
            + " is corrupted, at offset 0x"
            + Long.toHexString(PoolAddress.offset(address))
            + ": restore a backup, or drop the damaged objects");
  }
}
