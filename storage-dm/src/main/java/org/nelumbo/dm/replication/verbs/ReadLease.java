package org.nelumbo.dm.replication.verbs;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.View;

/**
 * The read lease of a compute node: its permission to use the results of READs. Each READ is sent
 * to one memory node only. The other compute nodes may have excluded that memory node from the
 * view, together with this compute node.
 *
 * <ol>
 *   <li>A view without a given live memory node comes into force only after this compute node has
 *       left the present view, or is fenced at all memory nodes of the next view. At least one of
 *       these is live in the present view.
 *   <li>A memory node completes a fence only when {@link
 *       org.nelumbo.dm.pool.SharedPool#cutOffNanos} have passed since the last request of the
 *       fenced compute node that it has served.
 *   <li>So no such view is in force as long as each live memory node has answered a request that
 *       was sent less than {@link org.nelumbo.dm.pool.SharedPool#readLeaseNanos} ago.
 * </ol>
 *
 * <p>The clocks of a compute node and a memory node may differ in speed by up to an eighth.
 * Heartbeats renew the lease at memory nodes that receive no other requests, so it costs no round
 * trip.
 */
final class ReadLease {
  private final Environment environment;

  ReadLease(Environment environment) {
    this.environment = environment;
  }

  /** A memory node that did not confirm the lease. */
  record Failure(int node, FabricException why) {}

  /**
   * Confirms that the results read in a view until now may be used, and renews the lease where it
   * has expired. In a shared pool the caller has entered the gate, so that this compute node does
   * not leave the view meanwhile.
   *
   * @return null if the lease is confirmed, otherwise the first failure
   */
  Failure confirm(View view) {
    long now = environment.nanoTime();
    Failure failure = null;
    for (long left = view.liveNodes(); left != 0 && failure == null; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      if (!view.connection(node).isReadLeaseHeld(now)) {
        failure = renew(view, node);
      }
    }
    return failure;
  }

  private static Failure renew(View view, int node) {
    try {
      view.connection(node).renewReadLease();
      return null;
    } catch (FabricException e) {
      return new Failure(node, e);
    }
  }
}
