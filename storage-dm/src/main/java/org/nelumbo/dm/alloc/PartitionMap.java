package org.nelumbo.dm.alloc;

/**
 * The map from shards to logical nodes: consistent hashing by highest score (rendezvous hashing).
 * Physical nodes have the scores; if a physical node has several logical ones, another hash selects
 * among them. The score of a node for a shard depends on their two numbers only. A shard uses nodes
 * in descending order of score: the next node is used if the previous one has no room. So the data
 * of a node does not depend on the other nodes: removing a node would move only its shards, each to
 * the next node in its own order.
 *
 * <p>All tables share the map, as locks do in LOTUS: rows with the same critical field lie on one
 * node, whatever their table. Immutable; look-ups allocate nothing.
 */
public final class PartitionMap {
  /** Number of shards: the low 12 bits of a LOTUS key are its shard. */
  public static final int SHARDS = 1 << 12;

  /**
   * Selected among about ten million seeds, because with it the shards 1 to n lie on n different
   * nodes, for 2 to 8 nodes: small numbers of warehouses, tenants or regions are counted from 1.
   */
  private static final long SEED = 44360;

  /** The number that stands for no node. */
  public static final int NONE = -1;

  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final int NODES_MAX = 1 << 8;

  private final int physicalNodes;
  private final int nodes;
  private final byte[] first = new byte[SHARDS];

  /** Creates the map of a pool whose logical nodes are each on a physical node of their own. */
  public PartitionMap(int nodes) {
    this(nodes, nodes);
  }

  /**
   * Creates the map of a pool.
   *
   * @param physicalNodes number of physical nodes, see {@link
   *     org.nelumbo.dm.pool.Fabric#physicalNodeCount}
   * @param nodes number of logical nodes, 1 to 256, a multiple of the physical nodes
   */
  public PartitionMap(int physicalNodes, int nodes) {
    if (nodes < 1 || nodes > NODES_MAX || physicalNodes < 1 || nodes % physicalNodes != 0) {
      throw new IllegalArgumentException(
          "a pool has 1 to "
              + NODES_MAX
              + " nodes, as many on each physical node nodes="
              + nodes
              + " physicalNodes="
              + physicalNodes);
    }
    this.physicalNodes = physicalNodes;
    this.nodes = nodes;
    for (int shard = 0; shard < SHARDS; shard++) {
      first[shard] = (byte) next(shard, NONE);
    }
  }

  /** Returns the shard of a LOTUS key. */
  public static int shard(long lotusKey) {
    return (int) lotusKey & SHARDS - 1;
  }

  /** Returns the node for a shard's rows if it has room. */
  public int node(int shard) {
    return first[shard] & 0xFF;
  }

  /**
   * Returns the next node for a shard if {@code node} has no room: another one of its physical
   * node, or, after the last of these, one of the physical node with the next lower score. Returns
   * {@link #NONE} after the last one. Each node is visited once, beginning with {@link #node}.
   */
  public int next(int shard, int node) {
    int first = firstGroup(shard);
    if (node < 0) {
      return first * physicalNodes + nextPhysical(shard, NONE);
    }
    int group = (node / physicalNodes + 1) % (nodes / physicalNodes);
    if (group != first) {
      return group * physicalNodes + node % physicalNodes;
    }
    int physical = nextPhysical(shard, node % physicalNodes);
    return physical < 0 ? NONE : first * physicalNodes + physical;
  }

  /** The other groups follow in turn. */
  private int firstGroup(int shard) {
    int groups = nodes / physicalNodes;
    return groups == 1 ? 0 : (int) Long.remainderUnsigned(score(shard, NODES_MAX), groups);
  }

  private int nextPhysical(int shard, int physical) {
    int best = NONE;
    for (int each = 0; each < physicalNodes; each++) {
      if ((physical < 0 || precedes(shard, physical, each))
          && (best < 0 || precedes(shard, each, best))) {
        best = each;
      }
    }
    return best;
  }

  private static boolean precedes(int shard, int one, int other) {
    int order = Long.compareUnsigned(score(shard, one), score(shard, other));
    return order != 0 ? order > 0 : one < other;
  }

  private static long score(int shard, int node) {
    long mixed = SEED + ((long) node * SHARDS + shard) * STEP;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
