package org.nelumbo.dm.pool;

import java.util.List;

/**
 * Sharing of a pool among compute nodes, which are its <em>tenants</em>. Memory nodes know who they
 * are, and refuse everybody else; what tenants owe each other is agreed on elsewhere. Thread-safe.
 *
 * <p>All methods throw a {@link FabricException} if a memory node cannot be asked, or has fenced
 * this compute node ({@link FabricException#isRevoked}). They may be called again then.
 */
public interface SharedPool {
  /** Id of this compute node as a tenant. */
  long tenant();

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
   * never will be, and no memory node lets it in again. May be done several times.
   */
  void fence(long tenant);

  /** All tenants that some memory node has, this one included. Who left or was fenced is none. */
  List<PoolTenant> tenants();

  /**
   * How long a tenant may be silent. One that lives is heard of at least three times as often by
   * each memory node.
   */
  long leaseNanos();
}
