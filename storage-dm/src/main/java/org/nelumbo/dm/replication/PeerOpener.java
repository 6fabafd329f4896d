package org.nelumbo.dm.replication;

import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/** Opens a way for messages between compute nodes that share a pool with copies. */
@FunctionalInterface
public interface PeerOpener {
  /**
   * Opens it.
   *
   * @param leaseNanos how long a compute node may be silent
   * @param self as whom the others know this one
   */
  PeerNetwork open(long leaseNanos, PeerId self);
}
