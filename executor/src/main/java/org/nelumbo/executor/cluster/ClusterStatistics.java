package org.nelumbo.executor.cluster;

import org.nelumbo.executor.lock.remote.ClusterLockCounts;
import org.nelumbo.executor.lock.remote.LockShards;

/**
 * The statistics of a member of those that share a pool; what is known here, without asking
 * anybody. Counts begin when it began to share the pool.
 *
 * @param members how many share the pool, this one included
 * @param version of the configuration that is followed
 * @param epoch of the shard map
 * @param ownedShards shards that this compute node has
 * @param ownerlessShards shards that nobody has, since their owner has died
 * @param movedShards shards that this compute node has given to others
 * @param recoveries members that this compute node has recovered after their death
 * @param locks of its transactions
 * @param grants locks that transactions of others hold here
 * @param silentNanos how long ago memory nodes had heard of this compute node, when it last asked
 *     them
 * @param leaseNanos how long it may be silent; 0 if it has the pool alone
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
  /** Of a compute node that has its pool alone. */
  public static final ClusterStatistics ALONE =
      new ClusterStatistics(1, 0, 0, LockShards.COUNT, 0, 0, 0, new ClusterLockCounts(), 0, 0, 0);
}
