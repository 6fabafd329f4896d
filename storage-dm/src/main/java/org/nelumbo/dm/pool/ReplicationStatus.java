package org.nelumbo.dm.pool;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Snapshot of the memory nodes of a pool and of the copies on them, as a compute node sees them.
 *
 * @param copies of everything, if all nodes are live
 * @param view number of the view in force, which rises when a node becomes live or ceases to be; 0
 *     where there is one copy
 * @param lost whether so many nodes have failed that this compute node can do nothing any more
 * @param filledNodes times that a node was filled and has become live, since the attach
 * @param filledBytes that were copied to nodes that were being filled, since the attach
 * @param holders for each logical node the memory nodes that have its copies, the first copy's
 *     first
 * @param nodes in order; empty if the pool is not on memory nodes that can fail on their own
 */
public record ReplicationStatus(
    int copies,
    long view,
    boolean lost,
    long filledNodes,
    long filledBytes,
    List<List<Integer>> holders,
    List<Node> nodes) {
  /** Status of a fabric with one copy, whose nodes do not fail by themselves. */
  public static final ReplicationStatus NONE =
      new ReplicationStatus(1, 0, false, 0, 0, List.of(), List.of());

  private static final int SLOW_FACTOR = 5;
  private static final long SLOW_NANOS = 2_000_000L;

  /** State of a memory node in the pool. */
  public enum State {
    /** It has every write that was acknowledged. */
    LIVE,
    /** It is given what it misses, and takes part in what is written meanwhile. */
    FILLING,
    /** It is not used: it cannot be reached, or was refused. */
    OUT
  }

  /**
   * A memory node.
   *
   * @param address for people
   * @param why the last thing that was wrong with it; empty if nothing was
   * @param bytes of its memory; 0 if it is out
   * @param filledBytes that are there already, of a node that is being filled; else 0
   * @param fillBytes that will be there in the end, as far as is known now; else 0
   * @param leftBytes that have to be copied for that still: a node that was out for a moment is
   *     given what was written meanwhile
   * @param bytesPerSecond that are copied; 0 if that is not known
   * @param answerNanos mean time to an answer in the last seconds; 0 if that is not known
   * @param copiedBytes that were sent to it when it was filled here, the last time or by now
   * @param equalBytes that it had already then, as was found by comparing
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
      long answerNanos,
      long copiedBytes,
      long equalBytes) {
    /** Seconds until the node is filled, if it goes on like that; -1 if that is not known. */
    public long secondsLeft() {
      return bytesPerSecond == 0 ? -1 : (leftBytes + bytesPerSecond - 1) / bytesPerSecond;
    }
  }

  /**
   * The memory node that has a copy of a logical node. What is asked of the logical node goes to
   * the first of its copies that is live.
   *
   * @param copy 0 to {@code copies} minus 1
   */
  public int holder(int logicalNode, int copy) {
    return holders.get(logicalNode).get(copy);
  }

  /**
   * Whether a node answers much later than the others, so that each write waits for it: {@value
   * #SLOW_FACTOR} times as late as the quicker half of them, and not within 2 milliseconds.
   */
  public boolean isSlow(int node) {
    long own = nodes.get(node).answerNanos();
    return own > SLOW_NANOS && own > SLOW_FACTOR * usualAnswerNanos(node);
  }

  /** Median of the mean answer times of the other nodes; without bound if none is known. */
  public long usualAnswerNanos(int node) {
    long[] others =
        IntStream.range(0, nodes.size())
            .filter(other -> other != node)
            .mapToLong(other -> nodes.get(other).answerNanos())
            .filter(nanos -> nanos > 0)
            .sorted()
            .toArray();
    return others.length == 0 ? Long.MAX_VALUE / SLOW_FACTOR : others[(others.length - 1) / 2];
  }

  /** The number of logical nodes. */
  public int logicalNodes() {
    return holders.size();
  }

  /** The number of nodes in that state. */
  public int count(State state) {
    int count = 0;
    for (Node node : nodes) {
      count += node.state() == state ? 1 : 0;
    }
    return count;
  }
}
