package org.nelumbo.executor.context;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.ReadCaches;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.RemoteLocks;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;

/**
 * The objects that the parts of one coordinator work with: its own channel, allocator and slot, and
 * the objects that it shares with the other coordinators of its engine. Passed to constructors
 * only; frequent users keep what they need in fields. Objects that belong to the coordinator are
 * used by one thread at a time.
 *
 * @param engine objects shared with the other coordinators
 * @param channel channel to the pool
 * @param allocator allocator of pool memory
 * @param slot slot in the engine's epochs; also the id of the coordinator
 * @param changes changes to the pool that this coordinator has begun
 * @param critical steps that must not be left half done
 */
public record CoordinatorContext(
    EngineContext engine,
    Channel channel,
    PoolAllocator allocator,
    int slot,
    ChangeTracker changes,
    CriticalSection critical) {
  public Environment environment() {
    return engine.environment();
  }

  public ComputeNodeEntry node() {
    return engine.node();
  }

  public Clock clock() {
    return engine.clock();
  }

  public Epochs epochs() {
    return engine.epochs();
  }

  public LockTable lockTable() {
    return engine.lockTable();
  }

  /** Returns true if other compute nodes may use the pool, too. */
  public boolean isShared() {
    return engine.isShared();
  }

  /** Returns the locks on the shards of other compute nodes; null in an exclusive pool. */
  public RemoteLocks remoteLocks() {
    ClusterLocks locks = engine.clusterLocks();
    return locks == null ? null : locks.coordinator(slot);
  }

  public ReadCaches caches() {
    return engine.caches();
  }

  public PoolMemory memory() {
    return engine.memory();
  }

  public FailStop failStop() {
    return engine.failStop();
  }

  /**
   * Returns the log of a memory node that has to contain a commit before the commit becomes
   * visible; null if there is none.
   */
  public PoolLog poolLog() {
    return engine.poolLog();
  }

  /** Returns the local log on disk that commits are written to; null if there is none. */
  public RedoLog redo() {
    return engine.redo();
  }

  public Leftovers leftovers() {
    return engine.leftovers();
  }
}
