package org.nelumbo.dm.layout;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * The free-space map of a pool: the list of its free memory, written at a clean shutdown for the
 * compute node that attaches next. It is a sequence of words in a chain of blocks. The superblock
 * has the address of the first block ({@link SuperblockLayout#FREE_SPACE_MAP_OFFSET}). Each block:
 *
 * <pre>
 *   0  | address of the next block, or 0                             |
 *   8  | words in this block                                         |
 *  16  | words ...                                                   |
 * </pre>
 *
 * The words of all blocks, one after the other:
 *
 * <pre>
 *   0  | magic "NELUINV1"                                            |
 *   1  | epoch of the compute node that left                         |
 *   2  | a timestamp not below any in use                            |
 *   3  | memory nodes n                                              |
 *   4  | bump word of each node: n words                             |
 *      | blocks in use of each size class: 60 words                  |
 *      | free runs f                                                 |
 *      | f free runs: node (8) | offset / 16 (36) | length / 16 (20) |
 *      | checksum of all words before                                |
 * </pre>
 *
 * The blocks of the chain are themselves free memory: nothing may be allocated before all of them
 * are read.
 *
 * <p>In a shared pool, donated free memory is listed in pieces of up to 4 KiB. Each entry of the
 * table of compute nodes points to the top of a stack of pieces, with a tag in the upper 16 bits
 * that rises with each change ({@link SuperblockLayout#COMPUTE_NODE_DONATED_OFFSET}). Words of a
 * piece:
 *
 * <pre>
 *   0  | magic "NELULEFT"                                            |
 *   1  | epoch of the pool                                           |
 *   2  | the piece below it, or 0                                    |
 *   3  | timestamp: snapshots that begin later do not read the runs  |
 *   4  | free runs f                                                 |
 *      | f free runs, the piece's own last, and the checksum, as above |
 * </pre>
 */
public final class FreeSpaceMapLayout {
  public static final int NEXT_OFFSET = 0;
  public static final int COUNT_OFFSET = NEXT_OFFSET + Long.BYTES;
  public static final int WORDS_OFFSET = COUNT_OFFSET + Long.BYTES;

  /** Bytes of the largest block. */
  public static final int BLOCK_BYTES_MAX = 32 << 10;

  /** "NELUINV1" in ASCII, little-endian. */
  public static final long MAGIC = 0x31564E49554C454EL;

  /** Words before the bump words. */
  public static final int FIXED_WORDS = 4;

  /** "NELULEFT" in ASCII, little-endian. */
  public static final long DONATED_MAGIC = 0x5446454C554C454EL;

  /** Words of a piece, before its runs. */
  public static final int PIECE_FIXED_WORDS = 5;

  /** Bytes of the longest piece. */
  public static final int PIECE_BYTES = 4 << 10;

  /** Bytes of the longest run: its length in units of 16 has 20 bits; a multiple of 64 bytes. */
  public static final long RUN_BYTES_MAX = ((1L << 20) - 4) << 4;

  private static final int LENGTH_BITS = 20;
  private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1;
  private static final int OFFSET_UNIT_BITS = PoolAddress.OFFSET_BITS - 4;

  private FreeSpaceMapLayout() {}

  /** Returns the word of a run, whose address and length are multiples of 16. */
  public static long run(long address, long bytes) {
    assert ((address | bytes) & 15) == 0 && bytes > 0 && bytes <= RUN_BYTES_MAX : "bytes=" + bytes;
    long unit =
        (long) PoolAddress.node(address) << OFFSET_UNIT_BITS | PoolAddress.offset(address) >>> 4;
    return unit << LENGTH_BITS | bytes >>> 4;
  }

  public static long address(long run) {
    long unit = run >>> LENGTH_BITS;
    return PoolAddress.of(
        (int) (unit >>> OFFSET_UNIT_BITS), (unit & (1L << OFFSET_UNIT_BITS) - 1) << 4);
  }

  public static long bytes(long run) {
    return (run & LENGTH_MASK) << 4;
  }
}
