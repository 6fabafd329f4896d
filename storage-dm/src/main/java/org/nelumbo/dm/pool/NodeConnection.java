package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;

/**
 * Connection to one memory node of a replicated pool. A flush that fails says nothing about other
 * nodes. Thread-safe.
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

  /** Whether a round trip costs much more than a memory access, as {@link Fabric#isRemote}. */
  boolean isRemote();

  /**
   * Whether the node does all that a flush has sent to it or nothing, though its sender dies, or is
   * fenced. If not, it may have done any first part of it, and any part of the WRITE behind that.
   */
  default boolean executesFrames() {
    return true;
  }

  /**
   * Number of this attachment to the node, if nobody else can have attached between two of this
   * process with numbers that follow each other; -1 if that is not known.
   */
  default long epoch() {
    return -1;
  }

  /** How compute nodes share this memory node; null if it serves one at a time. */
  default SharedPool sharing() {
    return null;
  }

  /** The log that the node keeps on a disk; null if it keeps none. */
  default PoolLog log() {
    return null;
  }

  /** Id of the pool of which it keeps the log; 0 if it keeps none. */
  default long logId() {
    return 0;
  }

  /** Network traffic so far. */
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

  /** Mean time to an answer in the last seconds, in nanoseconds; 0 if that is not known. */
  default long answerNanos() {
    return 0;
  }

  /** Whether an answer is overdue, so that a flush may be held up. */
  default boolean isLate() {
    return false;
  }

  /**
   * Asks the node, if it has closed this connection, whether it serves somebody else by now, who
   * has taken the pool over; returns who that is, empty if it does not or cannot be asked soon.
   *
   * @param why the failure by which the end of the connection was noticed
   */
  default String replacedBy(FabricException why) {
    return "";
  }

  /**
   * Cuts the node off, whatever its channels are doing: what they flush from now on fails, and what
   * they still wait for fails or was done before.
   */
  @Override
  void close();

  /** Cuts the node off as {@link #close} does, but does not leave it for good. */
  default void abandon() {
    close();
  }

  /** Connects to a memory node, which may be there or not. */
  interface Connector {
    /**
     * Connects to the node, which serves nobody else from then on.
     *
     * @throws FabricException if it cannot be reached now
     * @throws PoolOpenException if it refuses; the message says why
     */
    NodeConnection connect();

    /**
     * Connects to the node beside the compute nodes that share the pool with this one, whether any
     * of them is there. What this compute node had asked of it before, and what is on its way, does
     * not happen any more.
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
     * Place in the order in which nodes are connected to: the lowest first. Nodes that are likely
     * to refuse are, so that others are not disturbed in vain.
     */
    default int precedence() {
      return 0;
    }

    /** Address of the node, as in {@code host:port}. */
    default String address() {
      return name();
    }
  }
}
