package org.nelumbo.dm.fabric.replica;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.NodeFabric;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes views, alone and on its own thread, step by step: leaves out nodes that have failed,
 * takes in those that are back, fills them, makes them live.
 *
 * <p>A node is cut off before the view without it is written to the nodes that stay live, and that
 * is done before the view is in force: nobody is told of a write that is missing on a node which an
 * attach might take for live, and nothing is read from a node that misses a write.
 */
final class Steward {
  private static final Logger LOG = LoggerFactory.getLogger(Steward.class);
  private static final long IDLE_NANOS = 50_000_000L;

  /** So often idle, then the nodes are asked whether they are there. */
  private static final int IDLE_MAX = 10;

  private static final double NANOS_A_SECOND = 1e9;

  private final Environment environment;
  private final Views views;
  private final List<NodeFabric.Connector> connectors;
  private final NodeChannels channels;
  private final HeaderWriter headers;
  private final Filler filler;
  private final Reconnector reconnector;

  /** What was said last about a node that is not used, so that it is said once. */
  private final String[] rejections;

  private final long poolId;
  private final Thread thread;
  private String lastFailure;
  private long lastNumber;
  private long fillingSince;
  private int fillingNode = -1;
  private int idle;
  private volatile boolean stopped;

  /**
   * @param channels for this object alone, as the others
   */
  Steward(
      Environment environment,
      Views views,
      List<NodeFabric.Connector> connectors,
      NodeChannels channels,
      HeaderWriter headers,
      Filler filler,
      Reconnector reconnector,
      long poolId) {
    this.environment = environment;
    this.views = views;
    this.connectors = connectors;
    this.channels = channels;
    this.headers = headers;
    this.filler = filler;
    this.reconnector = reconnector;
    this.rejections = new String[connectors.size()];
    this.poolId = poolId;
    this.lastNumber = views.last().number();
    this.thread = environment.thread("nelumbo-steward", this::run);
  }

  void start() {
    views.setSteward(thread);
    thread.start();
    reconnector.start();
  }

  private void run() {
    try {
      while (!stopped && !views.isLost()) {
        if (!step()) {
          environment.parkNanos(IDLE_NANOS);
          idle++;
          probe();
        }
      }
    } catch (RuntimeException e) {
      LOG.error("the copies of the pool cannot be looked after any more", e);
      lose(0, "looking after the copies failed: " + e);
    }
    reconnector.stop();
  }

  /** Finds nodes that have failed while nobody used them. */
  private void probe() {
    if (idle >= IDLE_MAX && !stopped) {
      idle = 0;
      leaveOut(headers.probe(views.last()), channels::failure);
    }
  }

  /** Does one thing, if there is anything to do. */
  private boolean step() {
    if (views.hasSuspects()) {
      leaveOut(views.takeSuspects(), views::cause);
      return true;
    }
    View view = views.last();
    for (int node = 0; node < connectors.size(); node++) {
      NodeFabric back = reconnector.takeReached(node);
      if (back != null && view.connection(node) != null) {
        back.close();
      } else if (back != null) {
        takeIn(view, node, back);
        return true;
      }
    }
    for (int node = 0; node < connectors.size(); node++) {
      if (view.filling(node) != null) {
        fill(view, node);
        return true;
      }
    }
    return false;
  }

  private void fill(View view, int node) {
    if (fillingNode != node) {
      fillingNode = node;
      fillingSince = environment.nanoTime();
      filler.begin(view, node);
    }
    if (!view.filling(node).isFinished()) {
      filler.step(view, node);
      return;
    }
    fillingNode = -1;
    if (change(view.with(view.number(), node, view.connection(node), null))
        && views.last().isLive(node)) {
      views.health().countFilled(node);
      rejections[node] = null;
      LOG.info(
          "memory node {} is filled and live again, view {}: {} bytes in {} s",
          connectors.get(node).name(),
          views.last().number(),
          filler.copiedBytes(),
          (environment.nanoTime() - fillingSince) / NANOS_A_SECOND);
    }
  }

  /** Goes on without these nodes. */
  private void leaveOut(long nodes, IntFunction<FabricException> why) {
    if (nodes == 0) {
      return;
    }
    View view = views.last();
    View next = without(view, nodes, why);
    if (next.liveNodes() == view.liveNodes()) {
      views.install(next);
    } else {
      change(next);
    }
  }

  /** Cuts nodes off. */
  private View without(View view, long nodes, IntFunction<FabricException> why) {
    View next = view;
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      String message = why.apply(node).getMessage();
      views.health().setTrouble(node, message);
      if (!message.equals(rejections[node])) {
        LOG.warn(
            "memory node {} has failed; going on without it: {}",
            connectors.get(node).name(),
            message);
      }
      rejections[node] = message;
      lastFailure = message;
      view.connection(node).close();
      next = next.with(view.number(), node, null, null);
      fillingNode = fillingNode == node ? -1 : fillingNode;
    }
    return next;
  }

  /**
   * Puts a view in force that has other live nodes, or one without those that fail meanwhile;
   * answers whether there is one.
   */
  private boolean change(View wanted) {
    View next = wanted;
    while (next.lost() < 0) {
      next = next.with(++lastNumber);
      long failed = headers.writeView(next);
      if (failed == 0) {
        views.install(next);
        LOG.info("view {} of nodes {}", next.number(), NodeBits.toString(next.liveNodes()));
        return true;
      }
      next = without(next, failed, channels::failure);
    }
    int home = next.placement().node(next.lost(), 0);
    lose(
        home,
        "no copy is left of what memory node "
            + connectors.get(home).name()
            + " had: too many memory nodes have failed; live are "
            + NodeBits.toString(next.liveNodes())
            + (lastFailure == null ? "" : "; the last failure: " + lastFailure));
    return false;
  }

  private void lose(int node, String why) {
    views.lose(node, why);
    LOG.error("the pool is lost: {}", why);
    disconnect();
  }

  /** Closes all connections. */
  private void disconnect() {
    View view = views.last();
    for (int node = 0; node < connectors.size(); node++) {
      if (view.connection(node) != null) {
        view.connection(node).close();
      }
    }
  }

  private void takeIn(View view, int node, NodeFabric back) {
    View next = view.with(view.number(), node, back, new Filling(view.placement().slots()));
    NodeHeader header = headers.read(next, node);
    if (header == null) {
      back.close();
      return;
    }
    String rejection = rejection(view.placement(), node, header, back.nodeBytes());
    if (rejection != null) {
      back.close();
      if (!rejection.equals(rejections[node])) {
        LOG.warn("memory node {} is not used: {}", connectors.get(node).name(), rejection);
      }
      rejections[node] = rejection;
      views.health().setTrouble(node, rejection);
      return;
    }
    headers.setIncarnation(node, header.incarnation());
    if (headers.format(next, node)) {
      if (!wantsRoom(node)) {
        LOG.info("memory node {} is back and is being filled", connectors.get(node).name());
      }
      views.install(next);
    } else {
      back.close();
    }
  }

  /** Such a node is tried again and again until there is room. */
  private boolean wantsRoom(int node) {
    return rejections[node] != null && rejections[node].startsWith(FlushRounds.NO_ROOM_TEXT);
  }

  private String rejection(Placement placement, int node, NodeHeader header, long bytes) {
    if (bytes < placement.bytes()) {
      return "it has "
          + bytes
          + " bytes, the pool needs "
          + placement.bytes()
          + " of each node: start it with as much --memory as the others";
    }
    if (header.isEmpty()) {
      return null;
    }
    if (header.magic() != NodeHeaderLayout.MAGIC || header.poolId() != poolId) {
      return "its memory belongs to something else; empty it (remove its --data) to use it here";
    }
    return header.node() == node
        ? null
        : "it is memory node " + header.node() + " of this pool, named in another's place";
  }

  /** Stops, and lets go of the nodes; to be called when no channel is open any more. */
  void close() {
    stopped = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (!views.isLost() && !views.isDiffering()) {
      headers.writeInUse(views.last(), false);
    }
    channels.close();
    disconnect();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
