package org.nelumbo.dm.pool;

/** Carries verbs between this compute node and the memory nodes of one pool. Thread-safe. */
public interface Fabric extends AutoCloseable {
  /** Opens a channel for one coordinator, with a registered, zeroed staging buffer of that size. */
  Channel openChannel(int stagingBytes);

  /** Number of memory nodes; their ids are 0 to n-1. */
  int nodeCount();

  /**
   * Node i is at home on the same machine, say, as node i + {@code homes()}, or would be: all that
   * is at home on one goes to others together.
   */
  default int physicalNodeCount() {
    return nodeCount();
  }

  /** Bytes of memory at a node. */
  long nodeBytes(int node);

  /** What people know a node by: its address, or its file; empty if it has no name. */
  default String nodeName(int node) {
    return "";
  }

  /**
   * Whether a round trip costs much more than a memory access, so that caches on the compute node
   * pay.
   */
  boolean isRemote();

  /** What went over a network so far; nothing if there is none. */
  default NetworkTraffic traffic() {
    return NetworkTraffic.NONE;
  }

  /** What is known of the memory nodes and the copies on them. */
  default ReplicationStatus replicationStatus() {
    return ReplicationStatus.NONE;
  }

  @Override
  void close();
}
