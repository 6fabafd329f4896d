package org.nelumbo.dm.layout;

/**
 * The first 4 KiB of every memory node.
 *
 * <pre>
 *   0  | magic "NELUMBO1"                                            |
 *   8  | format version (4) | node id (4)                            |
 *  16  | pool id                                                     |
 *  24  | bytes of this node                                          |
 *  32  | catalogue root, 0 if there is none; node 0 only             |
 *  64  | bump: offset of the first byte never handed out (by FAA)    |
 * 128  | clock: a commit timestamp not below any in use              |
 * </pre>
 */
public final class SuperblockLayout {
  public static final int MAGIC_OFFSET = 0;
  public static final int FORMAT_OFFSET = 8;
  public static final int POOL_ID_OFFSET = 16;
  public static final int NODE_BYTES_OFFSET = 24;
  public static final int CATALOGUE_ROOT_OFFSET = 32;
  public static final int BUMP_OFFSET = 64;
  public static final int CLOCK_OFFSET = 128;
  public static final int LENGTH = 4096;

  /** "NELUMBO1" in ASCII, little-endian. */
  public static final long MAGIC = 0x314F424D554C454EL;

  public static final int FORMAT = 1;

  private SuperblockLayout() {}
}
