package org.nelumbo.dm.alloc;

/**
 * Map from shards to logical nodes: consistent hashing by highest score (rendezvous hashing). The
 * score is of physical nodes; if a physical node has several logical ones, another hash chooses
 * among them. Each node has a score for each shard, drawn from both numbers alone; a shard's nodes
 * are taken in descending order of score, the next one where the one before has no room. So what a
 * node has does not depend on which other nodes there are: were one taken away, its shards alone
 * would move, each to the next in its own order.
 *
 * <p>All tables share the map, as LOTUS has it for locks: rows with the same critical field lie on
 * one node, whatever their table. Immutable; look-ups make no garbage.
 */
public final class PartitionMap {
  /** Number of shards: the low 12 bits of a LOTUS key name one. */
  public static final int SHARDS = 1 << 12;

  /**
   * Chosen from some ten million others since with it the shards 1 to n lie on n different nodes,
   * for 2 to 8 nodes: few warehouses, tenants or regions are counted from 1.
   */
  private static final long SEED = 44360;

  /** Stands for no node. */
  public static final int NONE = -1;

  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final int NODES_MAX = 1 << 8;

  private final int homes;
  private final int nodes;
  private final byte[] first = new byte[SHARDS];

  /** The map of a pool each of whose nodes has a home of its own. */
  public PartitionMap(int nodes) {
    this(nodes, nodes);
  }

  /**
   * The map of a pool.
   *
   * @param homes of the nodes, as {@link org.nelumbo.dm.pool.Fabric#physicalNodeCount}
   * @param nodes logical nodes, 1 to 256, a multiple of that
   */
  public PartitionMap(int homes, int nodes) {
    if (nodes < 1 || nodes > NODES_MAX || homes < 1 || nodes % homes != 0) {
      throw new IllegalArgumentException(
          "a pool has 1 to "
              + NODES_MAX
              + " nodes, as many of each home nodes="
              + nodes
              + " homes="
              + homes);
    }
    this.homes = homes;
    this.nodes = nodes;
    for (int shard = 0; shard < SHARDS; shard++) {
      first[shard] = (byte) next(shard, NONE);
    }
  }

  /** The shard of a LOTUS key. */
  public static int shard(long lotusKey) {
    return (int) lotusKey & SHARDS - 1;
  }

  /** The node that a shard's rows lie on if it has room. */
  public int node(int shard) {
    return first[shard] & 0xFF;
  }

  /**
   * The node whose turn it is when {@code node} has no room for a shard: another one of its home,
   * or, after the last of these, one of the home with the highest score below that; {@link #NONE}
   * after the last one. All nodes come once, beginning with {@link #node}.
   */
  public int next(int shard, int node) {
    int first = firstOfHome(shard);
    if (node < 0) {
      return first * homes + nextHome(shard, NONE);
    }
    int group = (node / homes + 1) % (nodes / homes);
    if (group != first) {
      return group * homes + node % homes;
    }
    int home = nextHome(shard, node % homes);
    return home < 0 ? NONE : first * homes + home;
  }

  /**
   * Number of the logical node that comes first on every physical node; the others follow in turn.
   */
  private int firstOfHome(int shard) {
    int groups = nodes / homes;
    return groups == 1 ? 0 : (int) Long.remainderUnsigned(score(shard, NODES_MAX), groups);
  }

  /** The home with the highest score below that of {@code home}, or of all. */
  private int nextHome(int shard, int home) {
    int best = NONE;
    for (int each = 0; each < homes; each++) {
      if ((home < 0 || precedes(shard, home, each)) && (best < 0 || precedes(shard, each, best))) {
        best = each;
      }
    }
    return best;
  }

  /** The order of a shard's homes; of two with one score the smaller number is first. */
  private static boolean precedes(int shard, int one, int other) {
    int order = Long.compareUnsigned(score(shard, one), score(shard, other));
    return order != 0 ? order > 0 : one < other;
  }

  /** A strong hash of shard and node. */
  private static long score(int shard, int node) {
    long mixed = SEED + ((long) node * SHARDS + shard) * STEP;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
