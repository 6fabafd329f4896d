package org.nelumbo.dm.replication.membership;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconnects to the nodes that are out. Runs on a thread of its own, because an attempt may take
 * seconds.
 */
public final class Reconnector {
  private static final Logger LOG = LoggerFactory.getLogger(Reconnector.class);

  private final Environment environment;
  private final CurrentView currentView;
  private final List<NodeConnection.Connector> connectors;
  private final long periodNanos;
  private final AtomicReferenceArray<NodeConnection> reached;
  private final String[] refusals;
  private final Sharing sharing;
  private final IntConsumer onRejoined;
  private final BackgroundThread thread;

  /**
   * Creates a reconnector whose thread does not run yet.
   *
   * @param periodNanos time between two attempts
   * @param sharing determines whether nodes are rejoined beside other compute nodes, or connected
   *     exclusively
   * @param onRejoined runs before a rejoined node is reported as reached
   */
  public Reconnector(
      Environment environment,
      CurrentView currentView,
      List<NodeConnection.Connector> connectors,
      long periodNanos,
      Sharing sharing,
      IntConsumer onRejoined) {
    this.sharing = sharing;
    this.onRejoined = onRejoined;
    this.environment = environment;
    this.currentView = currentView;
    this.connectors = connectors;
    this.periodNanos = periodNanos;
    this.reached = new AtomicReferenceArray<>(connectors.size());
    this.refusals = new String[connectors.size()];
    this.thread = new BackgroundThread(environment, "nelumbo-reconnector", this::run);
  }

  void start() {
    thread.start();
  }

  /** Adds a node that was reached before this thread started. */
  public void setReached(int node, NodeConnection connection) {
    reached.set(node, connection);
  }

  /**
   * Returns the connection to a node that was reached again, or null. No other attempt is made
   * until {@link #settled}.
   */
  NodeConnection reached(int node) {
    return reached.get(node);
  }

  /** Records that the connection to a reached node is now part of the view, or closed. */
  void settled(int node) {
    reached.set(node, null);
  }

  /** Closes the connection to a reached node that is not usable. */
  void letGo(int node) {
    NodeConnection connection = reached.getAndSet(node, null);
    if (connection != null) {
      connection.abandon();
    }
  }

  /** Returns the name of a node for messages. */
  String name(int node) {
    return connectors.get(node).name();
  }

  long periodNanos() {
    return periodNanos;
  }

  private void run() {
    while (!thread.isStopped()) {
      for (int node = 0; node < connectors.size() && !thread.isStopped(); node++) {
        if (isAway(node)) {
          tryToReach(node);
        }
      }
      environment.parkNanos(periodNanos);
    }
    closeReached();
  }

  /** An admitted node is in the view before it is settled. */
  private boolean isAway(int node) {
    return reached.get(node) == null && currentView.last().connection(node) == null;
  }

  private void tryToReach(int node) {
    try {
      if (sharing.isTogether()) {
        rejoin(node);
      } else if (!sharing.isViewFixed()) {
        reached.set(node, connectors.get(node).connect());
        if (sharing.isViewFixed()) {
          letGo(node); // it serves this compute node exclusively
        }
      }
      refusals[node] = null;
      currentView.wakeViewChanger();
    } catch (PoolInUseException e) {
      inUse(node, e);
    } catch (FabricException e) {
      currentView.health().setFailure(node, e.getMessage());
      LOG.debug(
          "memory node {} is still unreachable: {}", connectors.get(node).name(), e.getMessage());
    } catch (PoolOpenException e) {
      currentView.health().setFailure(node, e.getMessage());
      if (!e.getMessage().equals(refusals[node])) {
        refusals[node] = e.getMessage();
        LOG.warn("{}; retrying", e.getMessage());
      }
    }
  }

  private void rejoin(int node) {
    NodeConnection connection = connectors.get(node).rejoin();
    boolean isDone = false;
    try {
      onRejoined.accept(node);
      isDone = true;
    } finally {
      if (!isDone) {
        connection.abandon();
      }
    }
    reached.set(node, connection);
  }

  /**
   * The other compute node has taken over the pool because this process was silent. Later writes of
   * this process would be lost.
   */
  private void inUse(int node, PoolInUseException refusal) {
    if (refusal.isOwn() || sharing.isViewFixed()) {
      currentView.health().setFailure(node, refusal.getMessage());
      LOG.debug(
          "memory node {} has not detected the lost connection of this process yet",
          connectors.get(node).name());
    } else {
      currentView.loseTo(node, connectors.get(node).name(), refusal.owner());
    }
  }

  private void closeReached() {
    for (int node = 0; node < connectors.size(); node++) {
      letGo(node);
    }
  }

  /** Stops soon, and closes any connections that it still establishes. */
  void stop() {
    thread.stop();
  }
}
