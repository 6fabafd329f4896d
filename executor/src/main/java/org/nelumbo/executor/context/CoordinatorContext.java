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
 * What the parts of one coordinator work with: its own channel, allocator and slot, and what it
 * shares with the others of its engine. Handed to constructors only; whoever needs something often
 * keeps it in a field. One thread at a time uses what is the coordinator's own.
 *
 * @param engine shared with the other coordinators
 * @param channel to the pool
 * @param allocator of pool memory
 * @param slot in the engine's epochs; also the coordinator's id
 * @param changes to the pool that are under way here
 * @param critical steps of them that must not be left half done
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

  public Sharing sharing() {
    return engine.sharing();
  }

  /** Locks that other compute nodes keep; null as long as this one has the pool alone. */
  public RemoteLocks remoteLocks() {
    ClusterLocks locks = engine.sharing().locks();
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

  /** Log of a memory node that has to have a commit before anybody sees it; null: none. */
  public PoolLog poolLog() {
    return engine.poolLog();
  }

  /** Log on a disk here that commits are written to; null if there is none. */
  public RedoLog redo() {
    return engine.redo();
  }

  public Leftovers leftovers() {
    return engine.leftovers();
  }
}
