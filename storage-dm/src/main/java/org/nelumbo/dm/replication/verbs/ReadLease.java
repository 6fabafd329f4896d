package org.nelumbo.dm.replication.verbs;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.View;

/**
 * The read lease of a compute node: its right to use the results of READs, which are sent to one
 * memory node each, and may be served by one that the other compute nodes have left out together
 * with this one.
 *
 * <ol>
 *   <li>A view without a live memory node comes in force only after this compute node has left the
 *       present one, or was fenced at all memory nodes of the next, of which at least one is live
 *       in the present one.
 *   <li>A fence waits at the memory node until the last request that this one has answered is older
 *       than {@link org.nelumbo.dm.pool.SharedPool#cutOffNanos}.
 *   <li>So as long as each live memory node has answered a request that was sent less than {@link
 *       org.nelumbo.dm.pool.SharedPool#readLeaseNanos} ago, no such view is in force.
 * </ol>
 *
 * <p>The clocks of a compute node and a memory node may differ in speed by an eighth. Heartbeats
 * keep the lease while no memory node is written to, so that it costs no round trip.
 */
final class ReadLease {
  private final Environment environment;

  ReadLease(Environment environment) {
    this.environment = environment;
  }

  /** A memory node that has not confirmed the lease. */
  record Failure(int node, FabricException why) {}

  /**
   * Makes sure that what was read in a view until now may be used. If others share the pool, the
   * caller has passed the gate, so that this compute node does not leave the view meanwhile.
   *
   * @return null if so
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
