package org.nelumbo.executor.cluster;

import org.nelumbo.executor.lock.remote.ClusterLockCounts;
import org.nelumbo.executor.lock.remote.LockShards;

/**
 * Statistics of a member, available without a round trip. Counters start when this compute node
 * begins to share the pool.
 *
 * @param members number of members, including this one
 * @param version version of the installed configuration
 * @param epoch epoch of the shard map
 * @param ownedShards number of shards that this compute node owns
 * @param ownerlessShards number of shards without an owner, since theirs has failed
 * @param movedShards number of shards that this compute node has given to others
 * @param recoveries number of failed members that this compute node has recovered
 * @param locks lock counters of its transactions
 * @param grants number of locks that transactions of other compute nodes hold here
 * @param silentNanos silence of this compute node at the memory nodes, when it last queried them
 * @param leaseNanos maximum silence; 0 in an exclusive pool
 */
public record ClusterStatistics(
    int members,
    long version,
    long epoch,
    int ownedShards,
    int ownerlessShards,
    long movedShards,
    long recoveries,
    ClusterLockCounts locks,
    int grants,
    long silentNanos,
    long leaseNanos) {
  /** Statistics of a compute node with an exclusive pool. */
  public static final ClusterStatistics ALONE =
      new ClusterStatistics(1, 0, 0, LockShards.COUNT, 0, 0, 0, new ClusterLockCounts(), 0, 0, 0);
}
