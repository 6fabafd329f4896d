package org.nelumbo.executor.cluster;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;

/**
 * Detects failed compute nodes. Memory nodes report how long each tenant has been silent. A tenant
 * that is silent for longer than the lease, or has lost its connections, counts as failed. It may
 * be slow instead, so its failure is certain only after it is fenced. Thread-safe.
 */
final class FailureDetector {
  private static final int LOOKS_PER_LEASE = 4;
  private static final long LOOK_NANOS_MAX = 250_000_000L;

  private final Environment environment;
  private final Fabric fabric;
  private final SharedPool pool;

  private final Set<Integer> fenced = ConcurrentHashMap.newKeySet();

  /** Time at which the holder of the configuration's latch was last checked. */
  private volatile long holderLookedAt;

  FailureDetector(Environment environment, Fabric fabric, SharedPool pool) {
    this.environment = environment;
    this.fabric = fabric;
    this.pool = pool;
    this.holderLookedAt = environment.nanoTime();
  }

  /** Returns the time between two searches for failed compute nodes. */
  long lookNanos() {
    return Math.min(pool.leaseNanos() / LOOKS_PER_LEASE, LOOK_NANOS_MAX);
  }

  /** Reads the entries of the table of compute nodes with their tenants. */
  Map<ComputeNodeEntry, Long> entries() {
    try (Channel channel = fabric.openChannel(SuperblockLayout.LENGTH)) {
      int table = ComputeNodeTable.postRead(channel);
      channel.flush();
      Map<ComputeNodeEntry, Long> entries = new LinkedHashMap<>();
      for (int each = 0; each < SuperblockLayout.COMPUTE_NODES; each++) {
        long tenant = ComputeNodeTable.tenant(channel.staging(), table, each);
        if (tenant != 0) {
          int number = ComputeNodeTable.number(channel.staging(), table, each);
          entries.put(new ComputeNodeEntry(number, each), tenant);
        }
      }
      return entries;
    }
  }

  /** Reads the tenants of the memory nodes, by their ids. */
  Map<Long, PoolTenant> tenants() {
    Map<Long, PoolTenant> tenants = new HashMap<>();
    pool.tenants().forEach(each -> tenants.put(each.id(), each));
    return tenants;
  }

  /** Returns the silence of a tenant, or -1 if memory nodes do not have it. */
  static long silentNanos(PoolTenant tenantOrNull) {
    return tenantOrNull == null ? -1 : tenantOrNull.silentNanos();
  }

  /**
   * Returns true if memory nodes do not have a tenant, or it is silent for longer than the lease.
   *
   * @param rank rank of this compute node; a lower rank detects failures earlier, so that not all
   *     compute nodes fence at once
   */
  boolean isDead(PoolTenant tenantOrNull, int rank) {
    long lease = pool.leaseNanos();
    return tenantOrNull == null
        || tenantOrNull.silentNanos() > lease + lease / LOOKS_PER_LEASE * rank;
  }

  /** Returns true if a member has failed or lost its connections. */
  boolean hasFailed(PoolTenant tenantOrNull, int rank) {
    return isDead(tenantOrNull, rank) || isCutOff(tenantOrNull, rank);
  }

  /**
   * The connections to a memory node are never opened again: the process of the member has ended,
   * or cannot use the pool any more.
   */
  private boolean isCutOff(PoolTenant tenant, int rank) {
    long patience = SharedPool.cutOffNanos(pool.leaseNanos());
    return !tenant.isConnected() && tenant.silentNanos() > patience * (rank + 1);
  }

  /** Records that a compute node was fenced. */
  void noteFenced(int number) {
    fenced.add(number);
  }

  /**
   * Returns true if the holder of the configuration's latch is fenced; fences it if it has failed.
   * Waiting threads call this repeatedly.
   */
  boolean isFencedIfDead(int number) {
    if (fenced.contains(number)) {
      return true;
    }
    long now = environment.nanoTime();
    if (now - holderLookedAt < pool.leaseNanos() / LOOKS_PER_LEASE) {
      return false;
    }
    holderLookedAt = now;
    Long holder = null;
    for (Map.Entry<ComputeNodeEntry, Long> each : entries().entrySet()) {
      holder = each.getKey().number() == number ? each.getValue() : holder;
    }
    if (holder == null || !isDead(tenants().get(holder), 0)) {
      return false;
    }
    pool.fence(holder);
    fenced.add(number);
    return true;
  }
}
