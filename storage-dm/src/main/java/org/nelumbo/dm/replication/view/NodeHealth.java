package org.nelumbo.dm.replication.view;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.ReplicationStatus;

/**
 * Diagnostics of the memory nodes: why a node is out, and how much data has been copied. Affects no
 * decision. Thread-safe.
 */
public final class NodeHealth {
  private final AtomicReferenceArray<String> failures;
  private final List<List<Integer>> holders;
  private final AtomicLong filledNodes = new AtomicLong();
  private final AtomicLong filledBytes = new AtomicLong();

  private final AtomicLongArray copied;

  private final AtomicLongArray equal;

  NodeHealth(Placement placement) {
    failures = new AtomicReferenceArray<>(placement.nodes());
    copied = new AtomicLongArray(placement.nodes());
    equal = new AtomicLongArray(placement.nodes());
    holders = IntStream.range(0, placement.logicals()).mapToObj(placement::nodes).toList();
  }

  /** Records why a node is out. */
  public void setFailure(int node, String why) {
    failures.set(node, why);
  }

  /** Counts a node that has been filled and is live. */
  public void countFilled(int node) {
    failures.set(node, null);
    filledNodes.incrementAndGet();
  }

  /** Resets the counters of a node before it is filled. */
  public void beginFill(int node) {
    copied.set(node, 0);
    equal.set(node, 0);
  }

  /** Counts bytes copied to a node that is being filled. */
  public void countCopied(int node, long bytes) {
    filledBytes.addAndGet(bytes);
    copied.addAndGet(node, bytes);
  }

  /** Counts bytes of a node being filled that a comparison has found to be present already. */
  public void countEqual(int node, long bytes) {
    equal.addAndGet(node, bytes);
  }

  /**
   * Returns the state of the nodes for display. The counters are read before the view. So each node
   * that they include as filled is live in the result, unless it has failed again.
   *
   * @param views supplies the view in force, or the last one; called after the counters are read
   * @param isLost returns true if the pool is lost
   * @param missed returns the missed writes of a node
   */
  public ReplicationStatus describe(
      Supplier<View> views,
      BooleanSupplier isLost,
      IntFunction<MissedWrites> missed,
      List<NodeConnection.Connector> connectors) {
    long times = filledNodes.get();
    long bytes = filledBytes.get();
    View view = views.get();
    List<ReplicationStatus.Node> nodes = new ArrayList<>();
    for (int node = 0; node < connectors.size(); node++) {
      nodes.add(describe(view, node, connectors.get(node).address(), missed.apply(node)));
    }
    return new ReplicationStatus(
        view.placement().copies(),
        view.number(),
        isLost.getAsBoolean(),
        times,
        bytes,
        holders,
        nodes);
  }

  private ReplicationStatus.Node describe(
      View view, int node, String address, MissedWrites missed) {
    NodeConnection connection = view.connection(node);
    ResyncProgress resyncProgress = view.resync(node);
    String trouble = failures.get(node);
    String why = trouble == null || view.isLive(node) ? "" : trouble;
    if (connection == null) {
      return new ReplicationStatus.Node(
          address,
          ReplicationStatus.State.OUT,
          why,
          0,
          0,
          0,
          0,
          0,
          0,
          copied.get(node),
          equal.get(node));
    }
    long bytes = connection.nodeBytes();
    if (resyncProgress == null) {
      return new ReplicationStatus.Node(
          address,
          ReplicationStatus.State.LIVE,
          why,
          bytes,
          0,
          0,
          0,
          0,
          connection.replyNanos(),
          copied.get(node),
          equal.get(node));
    }
    return new ReplicationStatus.Node(
        address,
        ReplicationStatus.State.FILLING,
        why,
        bytes,
        resyncProgress.filledBytes(),
        resyncProgress.wantedBytes(),
        resyncProgress.leftBytes(missed),
        resyncProgress.bytesPerSecond(),
        connection.replyNanos(),
        copied.get(node),
        equal.get(node));
  }
}
