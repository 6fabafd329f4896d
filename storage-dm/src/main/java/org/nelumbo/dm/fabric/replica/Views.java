package org.nelumbo.dm.fabric.replica;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.NodeFabric;

/**
 * The present view, and what channels report about it. The steward alone changes it; channels that
 * met a failure wait here until a view without the failed node is in force. Thread-safe.
 */
final class Views {
  private final Environment environment;
  private final AtomicReferenceArray<NodeFabric> suspects;
  private final AtomicReferenceArray<FabricException> causes;
  private final NodeHealth health;
  private volatile View view;
  private volatile String lost;
  private volatile int lostNode;
  private volatile boolean suspicion;
  private volatile boolean differing;
  private volatile Thread steward;

  Views(Environment environment, View first) {
    this.environment = environment;
    this.view = first;
    this.suspects = new AtomicReferenceArray<>(first.placement().nodes());
    this.causes = new AtomicReferenceArray<>(first.placement().nodes());
    this.health = new NodeHealth(first.placement());
  }

  /**
   * The view in force.
   *
   * @throws FabricException if the pool is lost
   */
  View current() {
    if (lost != null) {
      throw lost();
    }
    return view;
  }

  /** The view in force, or the last one that was. */
  View last() {
    return view;
  }

  /** What people want to know besides. */
  NodeHealth health() {
    return health;
  }

  private FabricException lost() {
    return new FabricException(lostNode, lost, null);
  }

  boolean isLost() {
    return lost != null;
  }

  /** A flush ended in a way that may leave the copies different. */
  void setDiffering() {
    differing = true;
  }

  boolean isDiffering() {
    return differing;
  }

  /** Puts a view in force. */
  void install(View next) {
    view = next;
  }

  /** Everything fails from now on. */
  void lose(int node, String why) {
    lostNode = node;
    lost = why;
  }

  void setSteward(Thread thread) {
    steward = thread;
  }

  void wakeSteward() {
    LockSupport.unpark(steward);
  }

  /** A verb to a node has failed on that connection. */
  void suspect(int node, NodeFabric connection, FabricException why) {
    if (view.connection(node) == connection) {
      causes.set(node, why);
      suspects.set(node, connection);
      suspicion = true;
      wakeSteward();
    }
  }

  /** Why a node is suspected, the last time. */
  FabricException cause(int node) {
    return causes.get(node);
  }

  boolean hasSuspects() {
    return suspicion;
  }

  /** The suspects as bits, each of which has a part in the present view; they are forgotten. */
  long takeSuspects() {
    suspicion = false;
    long bits = 0;
    for (int node = 0; node < suspects.length(); node++) {
      NodeFabric suspect = suspects.getAndSet(node, null);
      bits |= suspect != null && suspect == view.connection(node) ? 1L << node : 0;
    }
    return bits;
  }

  /**
   * Waits until a node does not have that connection any more.
   *
   * @throws FabricException if the pool is lost
   */
  void awaitWithout(int node, NodeFabric connection, FabricException why) {
    suspect(node, connection, why);
    for (int attempt = 0; current().connection(node) == connection; attempt++) {
      environment.backoff(attempt);
    }
  }
}
