package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filling of memory nodes that have returned while the pool is exclusive: admits them, has them
 * resynchronised, and makes them live. Confined to the view-change thread.
 */
final class SoleFilling {
  private static final Logger LOG = LoggerFactory.getLogger(SoleFilling.class);
  private static final double NANOS_A_SECOND = 1e9;

  private final Environment environment;
  private final Membership membership;
  private final Reconnector reconnector;
  private final NodeAdmission admission;
  private final SoleViewChange change;
  private final ReplicaResync resync;

  /** Null if memory nodes keep no logs. */
  private final ReplicatedLog log;

  /** Epoch of the last connection to each node, or -1 if the contents of the node are unknown. */
  private final long[] epochs;

  private NodeConnection resynced;

  private long resyncSince;

  SoleFilling(
      Environment environment,
      Membership membership,
      Reconnector reconnector,
      NodeAdmission admission,
      SoleViewChange change,
      ReplicaResync resync,
      ReplicatedLog log) {
    this.environment = environment;
    this.membership = membership;
    this.reconnector = reconnector;
    this.admission = admission;
    this.change = change;
    this.resync = resync;
    this.log = log;
    View view = membership.view();
    this.epochs = new long[view.placement().nodes()];
    for (int node = 0; node < epochs.length; node++) {
      epochs[node] = view.isLive(node) ? view.connection(node).epoch() : -1;
    }
  }

  /** Starts again with the node that is being filled. */
  void restart() {
    resynced = null;
  }

  /** Admits a node or continues to fill one; returns false if there is nothing to do. */
  boolean step(View view) {
    for (int node = 0; node < epochs.length; node++) {
      NodeConnection back = reconnector.reached(node);
      if (back != null) {
        tryToAdmit(view, node, back);
        return true;
      }
    }
    int node = view.filling();
    if (node >= 0) {
      resync(view, node);
    } else if (log != null) {
      log.endJoin(); // of a node that has been left out meanwhile
    }
    return node >= 0;
  }

  /** In any case the connection is part of the view afterwards, or closed. */
  private void tryToAdmit(View view, int node, NodeConnection back) {
    boolean isNext = epochs[node] >= 0 && back.epoch() == epochs[node] + 1;
    epochs[node] = back.epoch();
    if (!isNext) {
      membership.currentView().missed(node).markAll();
    }
    try {
      admit(view, node, back);
    } finally {
      if (membership.view().connection(node) != back) {
        back.close();
      }
      reconnector.settled(node);
    }
  }

  private void admit(View view, int node, NodeConnection back) {
    HeaderWriter headers = membership.headers();
    View next = NodeAdmission.with(view, node, back);
    NodeHeader header = headers.read(next, node);
    if (header == null || !admission.isAdmissible(node, header, back)) {
      return;
    }
    if (header.incarnation() != headers.incarnation(node)) {
      membership.currentView().missed(node).markAll();
    }
    headers.setIncarnation(node, header.incarnation());
    if (header.wasShared() && !headers.forgetIntents(next, node)) {
      return;
    }
    if (headers.format(next, node)) {
      if (!admission.wantsRoom(node)) {
        LOG.info("memory node {} is reachable again and is being filled", reconnector.name(node));
      }
      membership.replace(next);
      change.renewAgreement(next);
    }
  }

  private void resync(View view, int node) {
    if (resynced != view.connection(node)) {
      resynced = view.connection(node);
      resyncSince = environment.nanoTime();
      resync.begin(view, node);
    }
    if (!view.resync(node).isFinished()) {
      resync.step(view, node);
      view.resync(node)
          .measure(
              resync.copiedBytes() + resync.equalBytes(), environment.nanoTime() - resyncSince);
      return;
    }
    if (log != null && !log.join(view, node)) {
      return;
    }
    resynced = null;
    if (change.run(view.with(view.number(), node, view.connection(node), null))
        && membership.view().isLive(node)) {
      membership.currentView().health().countFilled(node);
      admission.noteUsed(node);
      LOG.info(
          "memory node {} is filled and live again, view {}: {} bytes were copied, {} were"
              + " already present, in {} s",
          reconnector.name(node),
          membership.view().number(),
          resync.copiedBytes(),
          resync.equalBytes(),
          (environment.nanoTime() - resyncSince) / NANOS_A_SECOND);
    }
  }

  /** Closes the connections to nodes that are being filled, or about to be. */
  void letGo() {
    if (log != null) {
      log.endJoin();
    }
    for (int node = 0; node < epochs.length; node++) {
      View view = membership.view();
      if (view.resync(node) != null) {
        view.connection(node).close();
        membership.replace(view.with(view.number(), node, null, null));
      }
      reconnector.letGo(node);
    }
    resynced = null;
  }
}
