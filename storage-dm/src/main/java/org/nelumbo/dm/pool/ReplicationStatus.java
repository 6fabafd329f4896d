package org.nelumbo.dm.pool;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A snapshot of the memory nodes of a pool and of the copies on them, as a compute node sees them.
 *
 * @param copies number of copies of all data
 * @param view number of the view in force, which rises when a node becomes live or ceases to be; 0
 *     if there is one copy
 * @param lost whether this compute node cannot use the pool any more: too many nodes have failed,
 *     or a flush of a pool with one copy
 * @param filledNodes number of times that a node was filled and became live, since the attach
 * @param filledBytes bytes copied to nodes that were being filled, since the attach
 * @param holders for each logical node the memory nodes with its copies, the one with the first
 *     copy first
 * @param nodes the memory nodes in order; empty if the pool is not on memory nodes that can fail
 *     independently
 */
public record ReplicationStatus(
    int copies,
    long view,
    boolean lost,
    long filledNodes,
    long filledBytes,
    List<List<Integer>> holders,
    List<Node> nodes) {
  /** Status of a fabric with one copy, whose nodes do not fail independently. */
  public static final ReplicationStatus NONE =
      new ReplicationStatus(1, 0, false, 0, 0, List.of(), List.of());

  private static final int SLOW_FACTOR = 5;
  private static final long SLOW_NANOS = 2_000_000L;

  /** State of a memory node in the pool. */
  public enum State {
    /** Has every acknowledged write. */
    LIVE,
    /** Receives the data that it misses, and takes part in new writes. */
    FILLING,
    /** Is not used: it cannot be reached, or was refused. */
    OUT
  }

  /**
   * A memory node.
   *
   * @param address display address
   * @param why the last problem of the node; empty if there was none
   * @param bytes bytes of its memory; 0 if it is out
   * @param filledBytes bytes filled so far, while the node is being filled; else 0
   * @param fillBytes bytes that will be filled in all, as far as is known now; else 0
   * @param leftBytes bytes that have to be copied for that still: a node that was out for a short
   *     time receives only the data written meanwhile
   * @param bytesPerSecond copy rate; 0 if unknown
   * @param replyNanos mean response time in the last seconds; 0 if unknown
   * @param copiedBytes bytes sent to it by its current or last fill by this compute node
   * @param equalBytes bytes that a comparison found to be equal already in that fill
   */
  public record Node(
      String address,
      State state,
      String why,
      long bytes,
      long filledBytes,
      long fillBytes,
      long leftBytes,
      long bytesPerSecond,
      long replyNanos,
      long copiedBytes,
      long equalBytes) {
    /** Returns the seconds until the node is filled at the current rate; -1 if unknown. */
    public long secondsLeft() {
      return bytesPerSecond == 0 ? -1 : (leftBytes + bytesPerSecond - 1) / bytesPerSecond;
    }
  }

  /** Returns this status of a pool that this compute node has lost. */
  ReplicationStatus asLost() {
    return new ReplicationStatus(copies, view, true, filledNodes, filledBytes, holders, nodes);
  }

  /**
   * Returns the memory node that has a copy of a logical node. Verbs for the logical node go to the
   * first of its copies that is live.
   *
   * @param copy 0 to {@code copies} minus 1
   */
  public int holder(int logicalNode, int copy) {
    return holders.get(logicalNode).get(copy);
  }

  /**
   * Returns true if a node responds much later than the others, so that each write waits for it: it
   * takes more than {@value #SLOW_FACTOR} times the median response time of the other nodes, and
   * more than 2 milliseconds.
   */
  public boolean isSlow(int node) {
    long own = nodes.get(node).replyNanos();
    return own > SLOW_NANOS && own > SLOW_FACTOR * usualReplyNanos(node);
  }

  /**
   * Returns the median of the mean response times of the other nodes; a very large number if none
   * is known.
   */
  public long usualReplyNanos(int node) {
    long[] others =
        IntStream.range(0, nodes.size())
            .filter(other -> other != node)
            .mapToLong(other -> nodes.get(other).replyNanos())
            .filter(nanos -> nanos > 0)
            .sorted()
            .toArray();
    return others.length == 0 ? Long.MAX_VALUE / SLOW_FACTOR : others[(others.length - 1) / 2];
  }

  /** Returns the number of logical nodes. */
  public int logicalNodes() {
    return holders.size();
  }

  /** Returns the number of nodes in a state. */
  public int count(State state) {
    int count = 0;
    for (Node node : nodes) {
      count += node.state() == state ? 1 : 0;
    }
    return count;
  }
}
