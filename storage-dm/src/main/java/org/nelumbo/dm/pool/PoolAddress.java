package org.nelumbo.dm.pool;

/**
 * A global address in the memory pool: 48 significant bits in a {@code long}.
 *
 * <pre>
 *  63      48 47        40 39                                   0
 * +----------+------------+--------------------------------------+
 * |    0     |  node id   |  byte offset in the node's memory    |
 * +----------+------------+--------------------------------------+
 * </pre>
 *
 * A pool has up to 256 memory nodes of up to 1 TiB, and an address shares an 8-byte word with a
 * 16-bit tag. {@link #NULL} is never the address of data: offset 0 of every node holds its
 * superblock.
 */
public final class PoolAddress {
  public static final long NULL = 0L;
  public static final int OFFSET_BITS = 40;
  public static final int BITS = 48;
  public static final long MASK = (1L << BITS) - 1;
  private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

  private PoolAddress() {}

  public static long of(int node, long offset) {
    return ((long) node << OFFSET_BITS) | offset;
  }

  public static int node(long address) {
    return (int) (address >>> OFFSET_BITS);
  }

  public static long offset(long address) {
    return address & OFFSET_MASK;
  }

  public static String toString(long address) {
    return address == NULL ? "null" : node(address) + ":0x" + Long.toHexString(offset(address));
  }
}
