package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;

/**
 * One memory node, reached on its own: what a replicated pool is made of. A flush that fails says
 * nothing about other nodes. Thread-safe.
 */
public interface NodeConnection extends AutoCloseable {
  /**
   * Opens a channel whose verbs name node 0.
   *
   * @param staging used by channels to other nodes, too; 8-byte aligned
   * @throws FabricException if the node cannot be reached any more
   */
  Channel openChannel(MemorySegment staging);

  /** Bytes of memory at the node. */
  long nodeBytes();

  /** As {@link Fabric#isRemote}. */
  boolean isRemote();

  /** What went over a network so far. */
  default NetworkTraffic traffic() {
    return NetworkTraffic.NONE;
  }

  /**
   * Cuts the node off, whatever its channels are doing: what they flush from now on fails, and what
   * they still wait for fails or was done before.
   */
  @Override
  void close();

  /** The way to a memory node, whether it is there or not. */
  interface Connector {
    /**
     * Connects to the node, which serves nobody else from then on.
     *
     * @throws FabricException if it cannot be reached now
     * @throws PoolOpenException if it refuses; the message says why
     */
    NodeConnection connect();

    /** Names the node in messages, as in {@code 1 at host:port}. */
    String name();

    /** Where the node is, as in {@code host:port}. */
    default String address() {
      return name();
    }
  }
}
