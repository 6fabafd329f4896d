package org.nelumbo.dm.layout;

/**
 * The first 4 KiB of each memory node of a replicated pool; the slots follow, each with a copy of
 * one logical node.
 *
 * <pre>
 *    0  | magic "NELUMBOR", written last                              |
 *    8  | format version (4) | node (2) | nodes of the pool (2)       |
 *   16  | pool id: one for all its nodes                              |
 *   24  | bytes of this node                                          |
 *   32  | number of copies of all data                                |
 *   40  | bytes of a slot                                             |
 *   48  | in use: 1 while a compute node has the pool open, else 0    |
 *   56  | bytes filled so far, for display; meaningless in a live node
 *   64  | bytes to fill in all, as far as is known                    |
 *   72  | reserve: FAA here allocates memory for the range that it passes, or returns NO_ROOM
 *   80  | virtual nodes: logical nodes of which it has the first copy; 0 means 1 (format 1)
 *   88  | left: length of the prefix of the memory that may hold data of an earlier process;
 *       | FAA of a negative number here clears that many bytes at its end
 *   96  | pages whose content was lost while the node was down, see {@link DamagedPageLayout};
 *       | 0 once it is being filled
 *  184  | incarnation, written by the memory node, as in the superblock
 *  192  | epoch, written by the memory node, as in the superblock     |
 *  256  | in a shared pool: tenant that fills a node, 0 if none does
 *  264  | its current fill epoch                                      |
 * 1024  | view record, if the number of the view is even              |
 * 2048  | view record, if it is odd                                   |
 * 3072  | intents: for each of 64 compute nodes that share the pool, its tenant and their location
 * </pre>
 *
 * A view record lists the live nodes, which are those that have every acknowledged write:
 *
 * <pre>
 *    0  | number of the view, from 1                                  |
 *    8  | live nodes, a bit each                                      |
 *   16  | checksum of all other words                                 |
 *   24  | for each of 64 nodes: its incarnation in this view          |
 * </pre>
 *
 * The record with the larger number is valid. A record with a wrong checksum was being written when
 * its writer failed, and is ignored.
 */
public final class NodeHeaderLayout {
  public static final int MAGIC_OFFSET = 0;
  public static final int FORMAT_OFFSET = MAGIC_OFFSET + Long.BYTES;
  public static final int POOL_ID_OFFSET = FORMAT_OFFSET + Long.BYTES;
  public static final int NODE_BYTES_OFFSET = POOL_ID_OFFSET + Long.BYTES;
  public static final int COPIES_OFFSET = NODE_BYTES_OFFSET + Long.BYTES;
  public static final int SLOT_BYTES_OFFSET = COPIES_OFFSET + Long.BYTES;
  public static final int IN_USE_OFFSET = SLOT_BYTES_OFFSET + Long.BYTES;
  public static final int FILLED_OFFSET = IN_USE_OFFSET + Long.BYTES;
  public static final int FILL_OFFSET = FILLED_OFFSET + Long.BYTES;
  public static final int RESERVE_OFFSET = FILL_OFFSET + Long.BYTES;
  public static final int VIRTUAL_NODES_OFFSET = RESERVE_OFFSET + Long.BYTES;
  public static final int LEFT_OFFSET = VIRTUAL_NODES_OFFSET + Long.BYTES;
  public static final int DAMAGED_OFFSET = LEFT_OFFSET + Long.BYTES;
  public static final int EPOCH_OFFSET = SuperblockLayout.EPOCH_OFFSET;
  public static final int INCARNATION_OFFSET = SuperblockLayout.INCARNATION_OFFSET;
  public static final int FILLER_OFFSET = 256;
  public static final int FILL_STEP_OFFSET = FILLER_OFFSET + Long.BYTES;
  public static final int VIEWS_OFFSET = 1024;
  public static final int VIEW_STRIDE = 1024;
  public static final int INTENTS_OFFSET = VIEWS_OFFSET + 2 * VIEW_STRIDE;
  public static final int INTENT_ENTRIES = SuperblockLayout.COMPUTE_NODES;
  public static final int INTENT_ENTRY_LENGTH = 2 * Long.BYTES;
  public static final int INTENTS_LENGTH = INTENT_ENTRIES * INTENT_ENTRY_LENGTH;
  public static final int LENGTH = 4096;

  /** Maximum number of nodes of a replicated pool: a word has a bit for each. */
  public static final int NODES_MAX = 64;

  public static final int VIEW_NUMBER_OFFSET = 0;
  public static final int VIEW_LIVE_OFFSET = VIEW_NUMBER_OFFSET + Long.BYTES;
  public static final int VIEW_CHECKSUM_OFFSET = VIEW_LIVE_OFFSET + Long.BYTES;
  public static final int VIEW_INCARNATIONS_OFFSET = VIEW_CHECKSUM_OFFSET + Long.BYTES;
  public static final int VIEW_LENGTH = VIEW_INCARNATIONS_OFFSET + NODES_MAX * Long.BYTES;

  /** "NELUMBOR" in ASCII, little-endian. */
  public static final long MAGIC = 0x524F424D554C454EL;

  /**
   * Format version. 1: as many logical nodes as memory nodes; 2: a multiple of that; 3: memory
   * nodes agree on views. Pools of versions 1 and 2 are only opened by force, which converts them
   * to version 3.
   */
  public static final int FORMAT = 3;

  private NodeHeaderLayout() {}

  /** Returns true if this build can read a pool of the given format. */
  public static boolean isReadable(int format) {
    return format >= 1 && format <= FORMAT;
  }

  /** Returns the word with format version, node and number of nodes. */
  public static long formatWord(int node, int nodes) {
    return FORMAT | (long) node << 32 | (long) nodes << 48;
  }

  /** Returns the offset of the record of a view in the header. */
  public static int viewOffset(long number) {
    return VIEWS_OFFSET + (int) (number & 1) * VIEW_STRIDE;
  }
}
