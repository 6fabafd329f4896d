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
 *   32  | copies of everything                                        |
 *   40  | bytes of a slot                                             |
 *   48  | in use: 1 while a compute node has the pool, else 0         |
 *   56  | bytes it has been filled with, for people; of no meaning in a live node
 *   64  | bytes it is to be filled with, as far as is known           |
 *   72  | reserve: FAA here puts memory behind what it passes, or returns NO_ROOM
 *   80  | virtual nodes: logical nodes of which it has the first copy; 0 is 1 (format 1)
 *   88  | left: bytes from the first on that may have something in them of an earlier process;
 *       | FAA of a number less than 0 here makes the last ones zero
 *   96  | pages whose content was lost while the node was down, see {@link DamagedPageLayout};
 *       | 0 once it is being filled
 *  184  | incarnation, written by the memory node, as in the superblock
 *  192  | epoch, written by the memory node, as in the superblock     |
 *  256  | while several share the pool: tenant that fills a node, 0 if none does
 *  264  | its last step                                               |
 * 1024  | view record, if the number of the view is even              |
 * 2048  | view record, if it is odd                                   |
 * 3072  | intents: for each of 64 compute nodes that share the pool, its tenant and where they are
 * </pre>
 *
 * A view record says which nodes were live, that is, had every write that was acknowledged:
 *
 * <pre>
 *    0  | number of the view, from 1                                  |
 *    8  | live nodes, a bit each                                      |
 *   16  | checksum of all other words                                 |
 *   24  | for each of 64 nodes: its incarnation in this view          |
 * </pre>
 *
 * The record with the larger number counts; one whose checksum is wrong was being written when its
 * writer died, and does not.
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

  /** Most nodes of a replicated pool: a word has a bit for each. */
  public static final int NODES_MAX = 64;

  public static final int VIEW_NUMBER_OFFSET = 0;
  public static final int VIEW_LIVE_OFFSET = VIEW_NUMBER_OFFSET + Long.BYTES;
  public static final int VIEW_CHECKSUM_OFFSET = VIEW_LIVE_OFFSET + Long.BYTES;
  public static final int VIEW_INCARNATIONS_OFFSET = VIEW_CHECKSUM_OFFSET + Long.BYTES;
  public static final int VIEW_LENGTH = VIEW_INCARNATIONS_OFFSET + NODES_MAX * Long.BYTES;

  /** "NELUMBOR" in ASCII, little-endian. */
  public static final long MAGIC = 0x524F424D554C454EL;

  /**
   * 1: as many logical nodes as memory nodes; 2: a multiple of that; 3: memory nodes agree on
   * views. Pools of the first two are only opened by force, which makes them pools of the last.
   */
  public static final int FORMAT = 3;

  private NodeHeaderLayout() {}

  /** Whether this version understands a pool of that format. */
  public static boolean isReadable(int format) {
    return format >= 1 && format <= FORMAT;
  }

  /** The word that says version, node and number of nodes. */
  public static long formatWord(int node, int nodes) {
    return FORMAT | (long) node << 32 | (long) nodes << 48;
  }

  /** Offset of the record of a view in the header. */
  public static int viewOffset(long number) {
    return VIEWS_OFFSET + (int) (number & 1) * VIEW_STRIDE;
  }
}
