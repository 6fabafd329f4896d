package org.nelumbo.dm.pool;

/** Carries verbs between this compute node and the memory nodes of one pool. Thread-safe. */
public interface Fabric extends AutoCloseable {
  /**
   * Opens a channel for one coordinator, with a registered, zeroed staging buffer of that size.
   *
   * @throws FabricException if the fabric is closed, or known to be lost
   */
  Channel openChannel(int stagingBytes);

  /** Number of logical memory nodes; their ids in addresses are 0 to n-1. */
  int nodeCount();

  /**
   * Number of physical memory nodes. The first copies of logical nodes i, i + n, i + 2n and so on
   * (of n physical nodes) lie on physical node i, and fail together.
   */
  default int physicalNodeCount() {
    return nodeCount();
  }

  /** Bytes of memory at a node. */
  long nodeBytes(int node);

  /** Name of a node for people: its address, or its file; empty if it has none. */
  default String nodeName(int node) {
    return "";
  }

  /** What has happened to a node that people should know; empty if nothing has. */
  default String nodeProblem(int node) {
    return "";
  }

  /**
   * Whether a round trip costs much more than a memory access, so that caches on the compute node
   * pay.
   */
  boolean isRemote();

  /** Network traffic so far; {@link NetworkTraffic#NONE} if there is no network. */
  default NetworkTraffic traffic() {
    return NetworkTraffic.NONE;
  }

  /** Id of the pool that the memory nodes name, formatted or not; 0 if only its superblock does. */
  default long poolId() {
    return 0;
  }

  /** Live copies that everything has just now: of what has fewest. One cheap read. */
  default int liveCopies() {
    return 1;
  }

  /** State of the memory nodes and of the copies on them. */
  default ReplicationStatus replicationStatus() {
    return ReplicationStatus.NONE;
  }

  /** Compares the copies; null if there is one of everything. */
  default CopiesCheck copiesCheck() {
    return null;
  }

  /** How compute nodes share the pool; null if one at a time has it. */
  default SharedPool sharing() {
    return null;
  }

  /** Log on a disk that has to have a commit before anybody sees it; null if there is none. */
  default PoolLog log() {
    return null;
  }

  /**
   * Has the only node, which holds nothing yet, hold what it held once. No channel is open. What
   * has not come when this returns comes before a verb meets it. The fabric closes the source.
   *
   * @throws FabricException if a piece is not as it was written; also later, by any verb, after
   *     which all verbs fail
   */
  default void fill(MemorySource source) {
    try (source) {
      MemoryFill.run(this, source);
    }
  }

  /**
   * Takes the pool out of use for this compute node: somebody has left it half changed, and cannot
   * mend that. All flushes of all channels fail from now on; who attaches next recovers the pool.
   * Allocates nothing that it needs. A fabric that is in this process's memory alone cannot do it.
   */
  default void lose(Throwable why) {}

  @Override
  void close();
}
