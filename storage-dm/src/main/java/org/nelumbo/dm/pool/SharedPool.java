package org.nelumbo.dm.pool;

import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * Sharing of a pool among compute nodes, its <em>tenants</em>. Memory nodes know the tenants and
 * refuse all other compute nodes; the protocol between tenants is defined elsewhere. Thread-safe.
 *
 * <p>All methods throw a {@link FabricException} if a memory node does not respond, or has fenced
 * this compute node ({@link FabricException#isRevoked}). They may be called again then.
 */
public interface SharedPool {
  /** The factor by which a tenant without connections is fenced earlier than a silent one. */
  int CUT_OFFS_PER_LEASE = 20;

  long CUT_OFF_NANOS_MAX = 500_000_000L;

  /** Returns the id of this compute node as a tenant. */
  long tenant();

  /**
   * Returns true if there may be other tenants: this compute node has joined the pool, or lets
   * others join.
   */
  boolean isShared();

  /**
   * Prepares the pool for other compute nodes, before this one becomes the first member. No thread
   * uses the pool, and no other compute node can join yet.
   *
   * @param isScanned true if all memory that no table uses was freed
   * @throws PoolOpenException if the pool has no room for the data that sharing needs
   */
  default void prepare(boolean isScanned) {}

  /**
   * Allows other compute nodes to join from now on.
   *
   * @throws PoolOpenException if this pool cannot be shared; the message says why
   */
  void share();

  /**
   * Makes the pool exclusive again: no compute node can join any more.
   *
   * @throws PoolInUseException if another tenant, live or failed, is listed at a memory node
   */
  void ownAlone();

  /**
   * Records that this compute node leaves in order, as the last one, after {@link #ownAlone}: all
   * data is complete.
   */
  default void completeAlone() {}

  /**
   * Fences another tenant, whether it is live or not. When this returns, each of its verbs was done
   * or never will be, no memory node admits it again, and no read lease that it got from a memory
   * node is valid any more. Idempotent.
   */
  void fence(long tenant);

  /**
   * Closes the connections of another tenant, as {@link #fence} does; but the tenant may return.
   */
  default void expel(long tenant) {
    fence(tenant);
  }

  /**
   * Returns all tenants that at least one memory node lists, this one included. A tenant that left
   * or was fenced is not listed.
   */
  List<PoolTenant> tenants();

  /**
   * Opens the message network to the other compute nodes. The caller closes it, before the fabric.
   *
   * @param self identity of this compute node in the network
   */
  PeerNetwork openPeers(PeerId self);

  /**
   * Returns how long a tenant may be silent. Each memory node receives a message of a live tenant
   * at least three times within that time.
   */
  long leaseNanos();

  /** Returns how long a tenant without connections may be silent, for a given lease. */
  static long cutOffNanos(long leaseNanos) {
    return Math.min(leaseNanos / CUT_OFFS_PER_LEASE, CUT_OFF_NANOS_MAX);
  }

  /**
   * Returns how long after sending a request a compute node may rely on the response: {@link
   * #cutOffNanos}, which a fence waits for at the memory node, less a margin for clocks that run at
   * different rates.
   */
  static long readLeaseNanos(long leaseNanos) {
    long cutOffNanos = cutOffNanos(leaseNanos);
    return cutOffNanos - cutOffNanos / 8;
  }
}
