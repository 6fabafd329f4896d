package org.nelumbo.dm.pool;

/** Carries verbs between this compute node and the memory nodes of one pool. Thread-safe. */
public interface Fabric extends AutoCloseable {
  /**
   * Opens a channel for one coordinator, with a registered, zeroed staging buffer of the given
   * size.
   *
   * @throws FabricException if the fabric is closed, or known to be lost
   */
  Channel openChannel(int stagingBytes);

  /** Returns the number of logical memory nodes; their ids in addresses are 0 to n-1. */
  int nodeCount();

  /**
   * Returns the number of physical memory nodes. The first copies of logical nodes i, i + n, i + 2n
   * and so on (of n physical nodes) lie on physical node i, and fail together.
   */
  default int physicalNodeCount() {
    return nodeCount();
  }

  /** Returns the bytes of memory at a node. */
  long nodeBytes(int node);

  /** Returns the display name of a node: its address, or its file; empty if it has none. */
  default String nodeName(int node) {
    return "";
  }

  /** Returns a problem of a node that the operator should see; empty if there is none. */
  default String nodeProblem(int node) {
    return "";
  }

  /**
   * Returns true if a round trip costs much more than a memory access, so that caches on the
   * compute node pay off.
   */
  boolean isRemote();

  /** Returns the network traffic so far; {@link NetworkTraffic#NONE} if there is no network. */
  default NetworkTraffic traffic() {
    return NetworkTraffic.NONE;
  }

  /**
   * Returns the id of the pool that the memory nodes name, whether it is formatted or not; 0 if
   * only its superblock has the id.
   */
  default long poolId() {
    return 0;
  }

  /**
   * Returns the number of live copies of the least replicated data at this moment. One cheap read.
   */
  default int liveCopies() {
    return 1;
  }

  /** Returns the state of the memory nodes and of the copies on them. */
  default ReplicationStatus replicationStatus() {
    return ReplicationStatus.NONE;
  }

  /** Returns the check that compares copies; null if there is one copy only. */
  default CopiesCheck copiesCheck() {
    return null;
  }

  /**
   * Returns the interface by which compute nodes share the pool; null if the pool is always
   * exclusive.
   */
  default SharedPool sharing() {
    return null;
  }

  /**
   * Returns the durable log that must contain a commit before the commit becomes visible; null if
   * there is none.
   */
  default PoolLog log() {
    return null;
  }

  /**
   * Restores the only node, which is still empty, from its saved memory. No channel is open. Pieces
   * that have not arrived when this returns arrive before a verb reaches them. The fabric closes
   * the source.
   *
   * @throws FabricException if a piece is not as it was written; any verb may also throw it later,
   *     and then all verbs fail
   */
  default void fill(MemorySource source) {
    try (source) {
      MemoryFill.run(this, source);
    }
  }

  /**
   * Takes the pool out of use for this compute node, because a thread has left it half changed and
   * cannot repair it. All flushes of all channels fail from now on; the next compute node that
   * attaches recovers the pool. Allocates no memory that it depends on. A fabric whose memory is in
   * this process only cannot do this.
   */
  default void lose(Throwable why) {}

  @Override
  void close();
}
