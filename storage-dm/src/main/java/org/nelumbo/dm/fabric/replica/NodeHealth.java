package org.nelumbo.dm.fabric.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.nelumbo.dm.fabric.NodeFabric;
import org.nelumbo.dm.fabric.Replication;

/**
 * What people want to know of the memory nodes: why one is out, and what has been copied. Decides
 * nothing. Thread-safe.
 */
final class NodeHealth {
  private final AtomicReferenceArray<String> troubles;
  private final List<List<Integer>> holders;
  private final AtomicLong filledNodes = new AtomicLong();
  private final AtomicLong filledBytes = new AtomicLong();

  NodeHealth(Placement placement) {
    troubles = new AtomicReferenceArray<>(placement.nodes());
    holders = IntStream.range(0, placement.logicals()).mapToObj(placement::nodes).toList();
  }

  /** A node is out, for that reason. */
  void setTrouble(int node, String why) {
    troubles.set(node, why);
  }

  /** A node has been filled and is live. */
  void countFilled(int node) {
    troubles.set(node, null);
    filledNodes.incrementAndGet();
  }

  /** So much was copied to a node that is being filled. */
  void countCopied(long bytes) {
    filledBytes.addAndGet(bytes);
  }

  /**
   * The state of the nodes for people; what is counted in it as filled is live in it, but for what
   * has died.
   *
   * @param views the view in force, or the last one that was; asked after the counts
   * @param isLost whether the pool is lost
   */
  Replication describe(
      Supplier<View> views, BooleanSupplier isLost, List<NodeFabric.Connector> connectors) {
    long times = filledNodes.get();
    long bytes = filledBytes.get();
    View view = views.get();
    List<Replication.Node> nodes = new ArrayList<>();
    for (int node = 0; node < connectors.size(); node++) {
      nodes.add(describe(view, node, connectors.get(node).address()));
    }
    return new Replication(
        view.placement().copies(),
        view.number(),
        isLost.getAsBoolean(),
        times,
        bytes,
        holders,
        nodes);
  }

  private Replication.Node describe(View view, int node, String address) {
    NodeFabric connection = view.connection(node);
    Filling filling = view.filling(node);
    String trouble = troubles.get(node);
    String why = trouble == null || view.isLive(node) ? "" : trouble;
    if (connection == null) {
      return new Replication.Node(address, Replication.State.OUT, why, 0, 0, 0);
    }
    long bytes = connection.nodeBytes();
    if (filling == null) {
      return new Replication.Node(address, Replication.State.LIVE, why, bytes, 0, 0);
    }
    return new Replication.Node(
        address,
        Replication.State.FILLING,
        why,
        bytes,
        filling.filledBytes(),
        filling.wantedBytes());
  }
}
