package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;

/**
 * A connection to one memory node of a replicated pool. A failed flush has no effect on the
 * connections to other nodes. Thread-safe.
 */
public interface NodeConnection extends AutoCloseable {
  /**
   * Opens a channel whose verbs name node 0.
   *
   * @param staging staging buffer, which channels to other nodes share; 8-byte aligned
   * @throws FabricException if the node cannot be reached any more
   */
  Channel openChannel(MemorySegment staging);

  /** Returns the bytes of memory at the node. */
  long nodeBytes();

  /**
   * Returns true if a round trip costs much more than a memory access; see {@link Fabric#isRemote}.
   */
  boolean isRemote();

  /**
   * Returns true if the node executes the verbs that a flush sends to it all or not at all, even if
   * their sender fails or is fenced. Otherwise it may have executed any prefix of them, and any
   * prefix of the WRITE after that.
   */
  default boolean executesFrames() {
    return true;
  }

  /**
   * Returns the number of this attachment to the node, or -1 if unknown. Two attachments of this
   * process with consecutive numbers prove that no other process attached between them.
   */
  default long epoch() {
    return -1;
  }

  /**
   * Returns the interface by which compute nodes share this memory node; null if it serves one at a
   * time.
   */
  default SharedPool sharing() {
    return null;
  }

  /** Returns the durable log that the node keeps; null if it keeps none. */
  default PoolLog log() {
    return null;
  }

  /** Returns the id of the pool whose log the node keeps; 0 if it keeps none. */
  default long logId() {
    return 0;
  }

  /** Returns the network traffic so far. */
  default NetworkTraffic traffic() {
    return NetworkTraffic.NONE;
  }

  /**
   * Returns true if the node has answered a request that was sent less than {@link
   * SharedPool#readLeaseNanos} before {@code now}. Then no fence of this compute node at this
   * memory node has returned yet.
   *
   * @param now from {@link org.nelumbo.dm.env.Environment#nanoTime}
   */
  default boolean isReadLeaseHeld(long now) {
    return true;
  }

  /**
   * Sends a request to the node and awaits the response, which proves that this compute node is not
   * fenced there, and renews the read lease.
   *
   * @throws FabricException if the node does not respond, or has fenced this compute node
   */
  default void renewReadLease() {}

  /** Returns the mean response time in the last seconds, in nanoseconds; 0 if unknown. */
  default long replyNanos() {
    return 0;
  }

  /** Returns true if a response is overdue, so that a flush may be delayed. */
  default boolean isLate() {
    return false;
  }

  /**
   * Finds out, if the node has closed this connection, whether the node serves another compute node
   * that has taken over the pool. Returns the name of that compute node; empty if there is none, or
   * if the node does not respond soon.
   *
   * @param why the failure that revealed the end of the connection
   */
  default String replacedBy(FabricException why) {
    return "";
  }

  /**
   * Cuts off the node, whatever its channels are doing: flushes from now on fail, and flushes in
   * progress either fail or were already done.
   */
  @Override
  void close();

  /**
   * Cuts off the node as {@link #close} does, but without leaving it for good: this compute node
   * may reconnect.
   */
  default void abandon() {
    close();
  }

  /** Connects to a memory node, which may be reachable or not. */
  interface Connector {
    /**
     * Connects to the node, which serves no other compute node from then on.
     *
     * @throws FabricException if it cannot be reached now
     * @throws PoolOpenException if it refuses; the message says why
     */
    NodeConnection connect();

    /**
     * Reconnects to the node as one of the compute nodes that share the pool, whether any other one
     * is connected or not. Earlier requests of this compute node to it, including those in flight,
     * are never executed afterwards.
     *
     * @throws FabricException if it cannot be reached now
     * @throws PoolOpenException if it refuses; the message says why
     */
    default NodeConnection rejoin() {
      throw new PoolOpenException(name() + " serves one compute node at a time");
    }

    /** Names the node in messages, as in {@code 1 at host:port}. */
    String name();

    /**
     * Returns the rank of this node in the order in which nodes are connected to, lowest first.
     * Nodes that are likely to refuse have a low rank, so that other nodes are not disturbed in
     * vain.
     */
    default int precedence() {
      return 0;
    }

    /** Returns the address of the node, as in {@code host:port}. */
    default String address() {
      return name();
    }
  }
}
