package org.nelumbo.dm.replication;

import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/** Opens the network for messages between the compute nodes that share a replicated pool. */
@FunctionalInterface
public interface PeerOpener {
  /**
   * Opens the network.
   *
   * @param leaseNanos maximum silence of a compute node
   * @param self identity of this compute node for the others
   */
  PeerNetwork open(long leaseNanos, PeerId self);
}
