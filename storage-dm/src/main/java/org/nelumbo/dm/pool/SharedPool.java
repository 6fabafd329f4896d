package org.nelumbo.dm.pool;

import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * Sharing of a pool among compute nodes, which are its <em>tenants</em>. Memory nodes know who they
 * are, and refuse everybody else; what tenants owe each other is agreed on elsewhere. Thread-safe.
 *
 * <p>All methods throw a {@link FabricException} if a memory node cannot be asked, or has fenced
 * this compute node ({@link FabricException#isRevoked}). They may be called again then.
 */
public interface SharedPool {
  /** A tenant without connections is fenced so many times as fast as a silent one. */
  int CUT_OFFS_PER_LEASE = 20;

  long CUT_OFF_NANOS_MAX = 500_000_000L;

  /** Id of this compute node as a tenant. */
  long tenant();

  /** Whether others may be there: this compute node has entered beside them, or lets them in. */
  boolean isShared();

  /**
   * Whether somebody has asked to enter, and was refused, since this was asked last. For a compute
   * node that has the pool alone.
   */
  boolean isWanted();

  /**
   * Lets others enter from now on.
   *
   * @throws PoolOpenException if this pool cannot be shared; the message says why
   */
  void share();

  /**
   * Has the pool alone again: nobody can enter any more.
   *
   * @throws PoolInUseException if there is another tenant, dead or alive, at some memory node
   */
  void ownAlone();

  /**
   * Fences another tenant, whether it lives or not: when this returns, each verb of it was done, or
   * never will be, no memory node lets it in again, and no read lease that it got from one is valid
   * any more. May be done several times.
   */
  void fence(long tenant);

  /** Ends the connections of another tenant, as {@link #fence} does; but it may come back. */
  default void expel(long tenant) {
    fence(tenant);
  }

  /** All tenants that some memory node has, this one included. Who left or was fenced is none. */
  List<PoolTenant> tenants();

  /**
   * Opens a way for messages to the others. It is the caller's to close, before the fabric.
   *
   * @param self as whom the others know this compute node
   */
  PeerNetwork openPeers(PeerId self);

  /**
   * How long a tenant may be silent. One that lives is heard of at least three times as often by
   * each memory node.
   */
  long leaseNanos();

  /** Returns how long a tenant without connections may be silent, if the lease is as given. */
  static long cutOffNanos(long leaseNanos) {
    return Math.min(leaseNanos / CUT_OFFS_PER_LEASE, CUT_OFF_NANOS_MAX);
  }

  /**
   * Returns how long after it has sent a request a compute node may rely on the response: {@link
   * #cutOffNanos}, for which a fence waits at the memory node, less a margin for clocks that run at
   * different rates.
   */
  static long readLeaseNanos(long leaseNanos) {
    long cutOffNanos = cutOffNanos(leaseNanos);
    return cutOffNanos - cutOffNanos / 8;
  }
}
