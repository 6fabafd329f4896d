package org.nelumbo.executor.context;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.ReadCaches;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;

/**
 * The objects that all coordinators of an engine share. Thread-safe.
 *
 * @param environment time, threads and randomness
 * @param node this compute node
 * @param clock source of timestamps
 * @param epochs snapshots in use, and the horizon, which no snapshot in use precedes
 * @param lockTable locks of this compute node's shards
 * @param clusterLocks locks that span all compute nodes; null in an exclusive pool
 * @param caches caches of the compute node for data that was read; empty on a local fabric
 * @param memory memory of the pool
 * @param failStop switch that stops the engine after a half-done change of the pool
 * @param leftovers counter of work after commits that was left undone
 * @param redo local log on disk that commits are written to; null if there is none
 * @param poolLog log of a memory node that has to contain a commit before the commit becomes
 *     visible; null if there is none
 */
public record EngineContext(
    Environment environment,
    ComputeNodeEntry node,
    Clock clock,
    Epochs epochs,
    LockTable lockTable,
    ClusterLocks clusterLocks,
    ReadCaches caches,
    PoolMemory memory,
    FailStop failStop,
    Leftovers leftovers,
    RedoLog redo,
    PoolLog poolLog) {
  /** Returns true if other compute nodes may use the pool, too. */
  public boolean isShared() {
    return clusterLocks != null;
  }
}
