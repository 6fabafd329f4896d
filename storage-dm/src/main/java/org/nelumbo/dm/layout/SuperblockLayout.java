package org.nelumbo.dm.layout;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * The first 4 KiB of every memory node.
 *
 * <pre>
 *   0  | magic "NELUMBO1", written last                              |
 *   8  | format version (4) | node id (2) | nodes of the pool (2)    |
 *  16  | pool id                                                     |
 *  24  | bytes of this node                                          |
 *  32  | catalogue root: its hash index, 0 if the pool is not complete; node 0 only, as the next
 *  40  | catalogue root: its ordered index                           |
 *  48  | layout parameters, see {@link #PARAMETERS}                  |
 *  56  | compute nodes: number of joins so far; node 0 only
 *  64  | bump: offset of the first byte never allocated (by FAA)     |
 *  72  | not 0 if a compute node of a shared pool has lost free memory, see {@code LostMemory};
 *      | node 0 only
 * 128  | clock: a commit timestamp not below any in use              |
 * 136  | free-space map: its first block after a clean shutdown, or 0; node 0 only
 * 144  | configuration of the compute nodes: address of 2 copies, or 0; node 0 only, as the next
 * 152  | configuration: number of the compute node that changes it, or 0
 * 160  | configuration: its version, or 0
 * 168  | pages of this node whose content was lost, see {@link DamagedPageLayout}; or
 *      | {@link #UNCHECKED}
 * 176  | commit vector of the compute nodes: its address, or 0; node 0 only
 * 184  | incarnation: drawn by the process of the memory node when it starts
 * 192  | epoch: raised by CAS by each compute node that takes over the pool
 * 200  | attached since: microseconds since 1970, 0 once detached    |
 * 208  | owner: length (8), then up to 240 bytes of UTF-8            |
 * 456  | name of the pool: length (8, 0 if it has none), then up to 48 bytes of UTF-8; node 0 only
 * 512  | table of compute nodes, 64 entries of 56 bytes; node 0 only:
 *      |   0 | number of the compute node, 0: not assigned yet
 *      |   8 | its horizon: no snapshot there is, or will be, older
 *      |  16 | first block of its log directory, or 0
 *      |  24 | version of the configuration that it has settled
 *      |  32 | its tenant id at the memory nodes, 0: the entry is free
 *      |  40 | serial of the schema change that it has settled
 *      |  48 | tag (16) | first piece of donated free memory, or 0 (48)
 * </pre>
 */
public final class SuperblockLayout {
  public static final int MAGIC_OFFSET = 0;
  public static final int FORMAT_OFFSET = MAGIC_OFFSET + Long.BYTES;
  public static final int POOL_ID_OFFSET = FORMAT_OFFSET + Long.BYTES;
  public static final int NODE_BYTES_OFFSET = POOL_ID_OFFSET + Long.BYTES;
  public static final int CATALOGUE_ROOT_OFFSET = NODE_BYTES_OFFSET + Long.BYTES;
  public static final int CATALOGUE_ORDERED_OFFSET = CATALOGUE_ROOT_OFFSET + Long.BYTES;
  public static final int PARAMETERS_OFFSET = CATALOGUE_ORDERED_OFFSET + Long.BYTES;
  public static final int JOINS_OFFSET = PARAMETERS_OFFSET + Long.BYTES;

  /** Offset of the bump word, in a cache line of its own. */
  public static final int BUMP_OFFSET = JOINS_OFFSET + Long.BYTES;

  /** Offset of the mark of lost memory, beside the bump word. */
  public static final int LOST_MEMORY_OFFSET = BUMP_OFFSET + Long.BYTES;

  /** Offset of the clock, in the next cache line. */
  public static final int CLOCK_OFFSET = BUMP_OFFSET + 64;

  public static final int FREE_SPACE_MAP_OFFSET = CLOCK_OFFSET + Long.BYTES;

  public static final int CONFIGURATION_OFFSET = FREE_SPACE_MAP_OFFSET + Long.BYTES;
  public static final int CONFIGURATION_LATCH_OFFSET = CONFIGURATION_OFFSET + Long.BYTES;
  public static final int CONFIGURATION_VERSION_OFFSET = CONFIGURATION_LATCH_OFFSET + Long.BYTES;

  /**
   * Offset of the number of lost pages; written while no compute node has the pool open, and by the
   * compute node that recovers it.
   */
  public static final int DAMAGED_OFFSET = CONFIGURATION_VERSION_OFFSET + Long.BYTES;

  /** Offset of the address of the commit vector; written while one compute node has the pool. */
  public static final int COMMIT_VECTOR_OFFSET = DAMAGED_OFFSET + Long.BYTES;

  /** Value in place of a number of lost pages: it is unknown whether pages were lost. */
  public static final long UNCHECKED = -1;

  /** Offset of the incarnation, the last word before the cache line of the epoch. */
  public static final int INCARNATION_OFFSET = CLOCK_OFFSET + 56;

  public static final int EPOCH_OFFSET = INCARNATION_OFFSET + Long.BYTES;
  public static final int ATTACHED_OFFSET = EPOCH_OFFSET + Long.BYTES;
  public static final int OWNER_OFFSET = ATTACHED_OFFSET + Long.BYTES;
  public static final int OWNER_BYTES_MAX = 240;
  public static final int NAME_OFFSET = OWNER_OFFSET + Long.BYTES + OWNER_BYTES_MAX;
  public static final int NAME_BYTES_MAX = 48;
  public static final int COMPUTE_NODES_OFFSET = NAME_OFFSET + Long.BYTES + NAME_BYTES_MAX;
  public static final int LENGTH = 4096;

  /** Maximum number of compute nodes at a time. */
  public static final int COMPUTE_NODES = 64;

  public static final int COMPUTE_NODE_LENGTH = (LENGTH - COMPUTE_NODES_OFFSET) / COMPUTE_NODES;
  public static final int COMPUTE_NODE_NUMBER_OFFSET = 0;
  public static final int COMPUTE_NODE_HORIZON_OFFSET = Long.BYTES;
  public static final int COMPUTE_NODE_LOGS_OFFSET = 2 * Long.BYTES;
  public static final int COMPUTE_NODE_SETTLED_OFFSET = 3 * Long.BYTES;
  public static final int COMPUTE_NODE_TENANT_OFFSET = 4 * Long.BYTES;
  public static final int COMPUTE_NODE_SCHEMA_OFFSET = 5 * Long.BYTES;
  public static final int COMPUTE_NODE_DONATED_OFFSET = 6 * Long.BYTES;

  /**
   * Result of an FAA on the bump word if the node cannot allocate the memory for it; the word then
   * stays unchanged.
   */
  public static final long NO_ROOM = -1;

  /** "NELUMBO1" in ASCII, little-endian. */
  public static final long MAGIC = 0x314F424D554C454EL;

  /**
   * Format version. 2: logs can be found from the superblock, and pending cells name their
   * transaction. 3: records may lie beside their CVT. 4: a table of compute nodes, and transactions
   * named by them.
   */
  public static final int FORMAT = 4;

  /**
   * Sizes by which builds could differ, in one word: bits of an offset, size classes, KiB of a hash
   * segment, bytes of a tree node, entries of a log block. A build with other sizes must not open
   * the pool.
   */
  public static final long PARAMETERS =
      PoolAddress.OFFSET_BITS
          | (long) SizeClass.COUNT << 8
          | (long) (HashSegmentLayout.LENGTH >> 10) << 16
          | (long) TreeNodeLayout.LENGTH << 24
          | (long) LogLayout.ENTRIES_PER_BLOCK << 40;

  private SuperblockLayout() {}

  /** Returns the address of an entry of the table of compute nodes. */
  public static long computeNode(int entry) {
    return PoolAddress.of(0, COMPUTE_NODES_OFFSET + (long) entry * COMPUTE_NODE_LENGTH);
  }
}
