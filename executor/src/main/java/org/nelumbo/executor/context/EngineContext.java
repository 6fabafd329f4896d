package org.nelumbo.executor.context;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.ReadCaches;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;

/**
 * What all coordinators of an engine share. Thread-safe.
 *
 * @param environment time, threads and randomness
 * @param node this compute node
 * @param clock of timestamps
 * @param epochs snapshots in use, and the horizon before which none is
 * @param lockTable locks of this compute node's shards
 * @param sharing whether other compute nodes have the pool, too
 * @param caches what the compute node keeps of what was read; none on a local fabric
 * @param memory of the pool
 * @param failStop says whether an exception has ended a change of the pool half way
 * @param leftovers of commits
 * @param redo log on a disk here that commits are written to; null if there is none
 * @param poolLog log of a memory node that has to have a commit before anybody sees it; null if
 *     there is none
 */
public record EngineContext(
    Environment environment,
    ComputeNodeEntry node,
    Clock clock,
    Epochs epochs,
    LockTable lockTable,
    Sharing sharing,
    ReadCaches caches,
    PoolMemory memory,
    FailStop failStop,
    Leftovers leftovers,
    RedoLog redo,
    PoolLog poolLog) {}
