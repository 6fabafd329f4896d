package org.nelumbo.dm.replication;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.intent.FlushCompletion;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.View;

/**
 * Completes the flushes that failed compute nodes have left unfinished. A compute node that fences
 * another one at every memory node completes its flushes. Until then neither the locks nor the
 * latches of the failed one are granted again. Thread-safe.
 */
final class OrphanedFlushes {
  private static final String ABANDONED =
      "it has to be filled again: a compute node that may have written to it was fenced";

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;

  private final Set<Long> completing = ConcurrentHashMap.newKeySet();

  OrphanedFlushes(Environment environment, CurrentView currentView, Sharing sharing) {
    this.environment = environment;
    this.currentView = currentView;
    this.sharing = sharing;
  }

  /**
   * Completes the flushes of a failed compute node.
   *
   * @param dead tenant number of the failed compute node
   * @param isFenced returns true if a tenant that has begun to do this has failed and is fenced
   */
  void complete(long dead, LongPredicate isFenced) {
    abandonFilling();
    ViewGate gate = sharing.flushGate();
    boolean isDone = false;
    for (int attempt = 0; !isDone; attempt++) {
      ViewGate.Pass pass = gate.enter();
      View view = null;
      try {
        view = currentView.current();
        isDone = complete(view, dead, isFenced);
      } catch (FabricException e) {
        report(view, e);
      } finally {
        gate.leave(pass);
      }
      if (!isDone) {
        environment.backoff(attempt);
      }
    }
  }

  /** The failed compute node may have written data to the node that no other node has. */
  private void abandonFilling() {
    View view = currentView.current();
    int node = view.filling();
    for (int attempt = 0; node >= 0 && isFilling(node, view.connection(node)); attempt++) {
      currentView.suspect(node, view.connection(node), new FabricException(node, ABANDONED, null));
      environment.backoff(attempt);
    }
  }

  private boolean isFilling(int node, NodeConnection connection) {
    View now = currentView.current();
    return now.filling() == node && now.connection(node) == connection;
  }

  /** Reports the failure of a memory node, which is then excluded, or the pool is lost. */
  void report(View view, FabricException why) {
    if (view == null || why.isRevoked() || why.node() < 0 || view.connection(why.node()) == null) {
      throw why;
    }
    currentView.suspect(why.node(), view.connection(why.node()), why);
  }

  /**
   * Completes the flushes of a failed compute node in a view that may not be in force yet.
   *
   * @return false if the view changes, or another thread is doing this: a second completion would
   *     overwrite later writes
   */
  boolean complete(View view, long dead, LongPredicate isFenced) {
    if (!completing.add(dead)) {
      return false;
    }
    try (FlushCompletion completion = new FlushCompletion(environment, view, sharing.tenant())) {
      return completion.complete(
          dead,
          isFenced,
          () -> sharing.flushGate().isClosedFor(view) && currentView.last() == view);
    } finally {
      completing.remove(dead);
    }
  }
}
