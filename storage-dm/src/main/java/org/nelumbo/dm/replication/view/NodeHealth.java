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
 * Diagnostics of the memory nodes for people: why one is out, and how much has been copied. Decides
 * nothing. Thread-safe.
 */
public final class NodeHealth {
  private final AtomicReferenceArray<String> failures;
  private final List<List<Integer>> holders;
  private final AtomicLong filledNodes = new AtomicLong();
  private final AtomicLong filledBytes = new AtomicLong();

  /** Of the filling of each node that is under way, or was the last. */
  private final AtomicLongArray copied;

  private final AtomicLongArray equal;

  NodeHealth(Placement placement) {
    failures = new AtomicReferenceArray<>(placement.nodes());
    copied = new AtomicLongArray(placement.nodes());
    equal = new AtomicLongArray(placement.nodes());
    holders = IntStream.range(0, placement.logicals()).mapToObj(placement::nodes).toList();
  }

  /** A node is out, for that reason. */
  public void setFailure(int node, String why) {
    failures.set(node, why);
  }

  /** A node has been filled and is live. */
  public void countFilled(int node) {
    failures.set(node, null);
    filledNodes.incrementAndGet();
  }

  /** A node begins to be filled. */
  public void beginFill(int node) {
    copied.set(node, 0);
    equal.set(node, 0);
  }

  /** Counts bytes copied to a node that is being filled. */
  public void countCopied(int node, long bytes) {
    filledBytes.addAndGet(bytes);
    copied.addAndGet(node, bytes);
  }

  /** Counts bytes that a node which is being filled has already, as was found by comparing. */
  public void countEqual(int node, long bytes) {
    equal.addAndGet(node, bytes);
  }

  /**
   * The state of the nodes for people; what is counted in it as filled is live in it, but for what
   * has died.
   *
   * @param views the view in force, or the last one that was; asked after the counts
   * @param isLost whether the pool is lost
   * @param missed what nodes may miss
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
          connection.answerNanos(),
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
        connection.answerNanos(),
        copied.get(node),
        equal.get(node));
  }
}
