package org.nelumbo.executor.engine;

import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.alloc.MemoryInUse;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.superblock.CommitVector;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.cache.ReadCaches;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.context.FailStop;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.context.StoppableEnvironment;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.lock.LeafKeys;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.DurableClock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;
import org.nelumbo.executor.timestamp.PoolClock;
import org.nelumbo.executor.timestamp.SharedClock;
import org.nelumbo.executor.timestamp.VectorClock;
import org.nelumbo.executor.txn.TransactionCounts;
import org.nelumbo.executor.version.RowGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This compute node's engine on one pool, with the objects that its coordinators share.
 * Thread-safe.
 *
 * <p>A background thread keeps the clock near physical time, moves the forced horizon, and collects
 * the garbage of closed coordinators.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** Bytes of staging buffer that a channel needs to enter a clock. */
  private static final int CLOCK_STAGING_BYTES = 4 * CommitVector.WORDS_MAX * Long.BYTES;

  private final Clock clock;
  private final EngineContext context;
  private final EngineParts parts;
  private final Coordinators coordinators;
  private final Tables tables;
  private final Sweeper sweeper;
  private boolean hasLeft;

  /** Null in an exclusive pool. */
  private final Membership membership;

  /** Creates an engine that has a formatted pool exclusively. The engine closes the fabric. */
  public Engine(Environment environment, Fabric fabric, EngineOptions options) {
    this(environment, fabric, options, new HybridClock(environment));
  }

  private Engine(Environment environment, Fabric fabric, EngineOptions options, Clock clock) {
    this(
        environment,
        fabric,
        options,
        clock,
        new Epochs(environment, clock, options.snapshotRetentionNanos()),
        new LockTable(environment, options.lockBuckets()));
  }

  /**
   * Creates an engine from given parts: tests replace one of them by a broken one to see whether
   * that is detected.
   */
  public Engine(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      Clock clock,
      Epochs epochs,
      LockTable lockTable) {
    this(environment, fabric, options, clock, epochs, lockTable, ComputeNodeEntry.SOLE, null, null);
  }

  private Engine(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      Clock clock,
      Epochs epochs,
      LockTable lockTable,
      ComputeNodeEntry node,
      RedoLog redo,
      Membership membership) {
    ChunkPool chunks = new ChunkPool(fabric, epochs::horizon);
    EngineMemory memory =
        new EngineMemory(environment, fabric, chunks, epochs, options.minCopies());
    ReadCaches caches =
        !fabric.isRemote()
            ? ReadCaches.NONE
            : membership == null
                ? ReadCaches.remote(options.cachedCvts(), options.recordCacheBytes())
                : ReadCaches.joining(options.cachedCvts(), options.recordCacheBytes());
    this.clock = clock;
    this.membership = membership;
    FailStop failStop = new FailStop(why -> endConnections(fabric, why));
    ClusterLocks clusterLocks = null;
    if (membership != null) {
      epochs.setOthersHorizon(0); // until their horizons have been read
      clusterLocks = membership.enter(node, clock, lockTable, caches.copies(), failStop::note);
      caches.share(clusterLocks::isOwned);
      chunks.prefer(clusterLocks::isOwned);
    }
    this.context =
        new EngineContext(
            new StoppableEnvironment(environment, failStop),
            node,
            clock,
            epochs,
            lockTable,
            clusterLocks,
            caches,
            memory,
            failStop,
            new Leftovers(environment, this::markUnclean),
            redo,
            fabric.log());
    this.parts = new EngineParts(context, options, fabric, chunks, memory);
    this.coordinators = new Coordinators(parts);
    memory.setGarbage(this::hasGarbage);
    this.tables = new Tables(context, coordinators);
    this.sweeper = new Sweeper(parts, coordinators, why -> endConnections(fabric, why));
  }

  /**
   * Opens an engine on a pool that other compute nodes have open, too. Locks are shared with them:
   * a transaction gets a lock only if no transaction on any of them has it.
   */
  public static Engine join(
      Environment environment, Fabric fabric, EngineOptions options, Membership membership) {
    LockTable locks = new LockTable(environment, options.lockBuckets());
    return join(environment, fabric, options, membership, locks);
  }

  /** Does the same as the method above, with a given lock table. For tests. */
  public static Engine join(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      Membership membership,
      LockTable locks) {
    ComputeNodeTable.Joined joined = ComputeNodeTable.join(fabric, membership.tenant());
    ComputeNodeEntry node = joined.node();
    try (Channel channel = fabric.openChannel(CLOCK_STAGING_BYTES)) {
      int mark = channel.mark();
      try {
        SharedClock clock = sharedClock(environment, channel, node);
        Epochs epochs = new Epochs(environment, clock, options.snapshotRetentionNanos());
        Engine engine =
            new Engine(environment, fabric, options, clock, epochs, locks, node, null, membership);
        engine.parts.exchangeHorizons(clock);
        if (joined.isMemoryLeft()) {
          engine.adoptMemory();
        }
        return engine;
      } catch (RuntimeException | Error e) {
        membership.leave();
        membership.close();
        channel.release(mark); // an exception may have left something there
        ComputeNodeTable.leave(channel, node); // the entry would hold back all horizons
        throw e;
      }
    }
  }

  /** Returns the clock that the compute nodes of the pool use. */
  private static SharedClock sharedClock(
      Environment environment, Channel channel, ComputeNodeEntry node) {
    long vector = CommitVector.find(channel);
    if (vector != PoolAddress.NULL) {
      return VectorClock.enter(environment, channel, vector, node.entry());
    }
    PoolClock word = new PoolClock(environment);
    word.read(channel);
    return word;
  }

  /**
   * Called before the first coordinator is opened, so that a compute node that joins and leaves
   * repeatedly does not take more memory each time.
   */
  private void adoptMemory() {
    int stagingBytes = SuperblockLayout.LENGTH + DonatedMemory.STAGING_BYTES + CLOCK_STAGING_BYTES;
    try (Channel channel = parts.fabric.openChannel(stagingBytes)) {
      parts.refreshHorizon(channel);
      parts.adoptWanted(channel);
    }
  }

  /**
   * Creates an engine on a formatted pool in this process, whose commits are written to a log on
   * disk as soon as that is recording.
   */
  public static Engine durable(
      Environment environment, Fabric fabric, EngineOptions options, RedoLog redo) {
    Clock clock = new DurableClock(environment, redo);
    return new Engine(
        environment,
        fabric,
        options,
        clock,
        new Epochs(environment, clock, options.snapshotRetentionNanos()),
        new LockTable(environment, options.lockBuckets()),
        ComputeNodeEntry.SOLE,
        redo,
        null);
  }

  /** Opens and starts an engine on a new pool in this process. */
  public static Engine openMemory(EngineOptions options) {
    return openMemory(options, UnaryOperator.identity());
  }

  /**
   * Opens and starts an engine on a new pool in memory, with a decorator around the fabric, such as
   * a {@code CountingFabric}. The engine closes the decorator.
   */
  public static Engine openMemory(EngineOptions options, UnaryOperator<Fabric> decorator) {
    Environment environment = new SystemEnvironment();
    Fabric fabric = decorator.apply(new LocalFabric(options.memoryBytes(), environment));
    PoolFormat.format(fabric, environment.randomLong());
    Engine engine = new Engine(environment, fabric, options);
    engine.start();
    return engine;
  }

  /** Starts the background work. */
  public void start() {
    clock.start();
    if (isShared()) {
      context.clusterLocks().start();
    }
    sweeper.start();
  }

  public Environment environment() {
    return context.environment();
  }

  public EngineOptions options() {
    return parts.options;
  }

  public Fabric fabric() {
    return parts.fabric;
  }

  public Clock clock() {
    return clock;
  }

  public Epochs epochs() {
    return context.epochs();
  }

  /** Returns true if other compute nodes may use the pool, too. */
  public boolean isShared() {
    return context.isShared();
  }

  /** Returns the locks that span all compute nodes; null in an exclusive pool. */
  public ClusterLocks clusterLocks() {
    return context.clusterLocks();
  }

  /** Returns the lock table of this compute node. */
  public LockTable lockTable() {
    return context.lockTable();
  }

  /**
   * Checks the lock table and the cached CVTs, while no coordinator is in the middle of a step. For
   * tests.
   *
   * @param pool returns the word at an address of the pool, without using the fabric
   * @throws IllegalStateException if an invariant is violated
   */
  public void verify(LongUnaryOperator pool) {
    lockTable().verify();
    caches().cvts().verify(lockTable()::isWriteLocked, pool);
    caches().leaves().verify(leaf -> lockTable().isWriteLocked(LeafKeys.change(leaf)), pool);
  }

  /** Returns the caches of the compute node; public for tests. */
  public ReadCaches caches() {
    return context.caches();
  }

  /** Returns the counts of the record cache; sizes are in bytes. */
  public CacheCounts recordCacheCounts() {
    return context.caches().records().counts();
  }

  /** Returns the counts of the CVT cache; sizes are in rows. */
  public CacheCounts cvtCacheCounts() {
    return context.caches().cvts().counts();
  }

  /** Returns the counts of the cache of CVT addresses; sizes are in rows. */
  public CacheCounts addressCacheCounts() {
    return context.caches().cvts().addressCounts();
  }

  /** Allocates the spare log blocks that sessions need to delete rows although the pool is full. */
  public void fillSpareLogs(PoolAllocator allocator) {
    parts.logs.fillSpares(allocator);
  }

  /** Opens a coordinator for one connection or terminal. The caller closes it. */
  public Coordinator openCoordinator() {
    return coordinators.open(parts.fabric);
  }

  /** Opens a coordinator with a row guard. For tests: the protocol of LOTUS has none. */
  public Coordinator openCoordinator(Function<CoordinatorContext, RowGuard> guards) {
    return coordinators.open(parts.fabric, guards);
  }

  /** Opens a coordinator that counts its fabric requests, at some cost for each verb. */
  public Coordinator openCountingCoordinator() {
    Fabric fabric = parts.fabric;
    return coordinators.open(
        fabric instanceof CountingFabric ? fabric : new CountingFabric(fabric));
  }

  /** Returns true if commits are written to a disk. */
  public boolean isDurable() {
    return context.redo() != null || context.poolLog() != null;
  }

  /**
   * Waits until all present commits are durable, if commits are written to a disk.
   *
   * @throws NelumboException OUTCOME_UNKNOWN if that fails
   */
  public void awaitForced() {
    if (context.poolLog() != null) {
      awaitForced(context.poolLog());
      return;
    }
    RedoLog redo = context.redo();
    if (redo == null || !redo.isRecording()) {
      return;
    }
    try {
      redo.awaitForced(redo.end());
    } catch (RedoFailedException e) {
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          e.getMessage() + "; its outcome is known when the database is opened again",
          e);
    }
  }

  private static void awaitForced(PoolLog log) {
    try {
      log.force();
    } catch (FabricException e) {
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          e.getMessage() + "; its outcome is known when the pool is opened again",
          e);
    }
  }

  /** Waits until read-only transactions see all present commits, unless the engine stops. */
  public void awaitSettled() {
    if (context.redo() != null) {
      try {
        context.redo().awaitMoment(clock.now());
      } catch (RedoFailedException e) {
        LOG.debug(
            "not waiting for commits to be durable, because the log has failed: {}",
            e.getMessage());
      }
    }
  }

  /** Returns the factory that creates, opens and drops the tables of this pool. */
  public Tables tables() {
    return tables;
  }

  /** Returns the entry of this compute node in the table of compute nodes. */
  public ComputeNodeEntry node() {
    return context.node();
  }

  Coordinators coordinators() {
    return coordinators;
  }

  /** Returns the durations of round trips to memory nodes; empty if there are no memory nodes. */
  public LatencyHistogram flushLatency() {
    return parts.flushes;
  }

  /** Returns a copy of the counts of all transactions of this engine. */
  public TransactionCounts transactionCounts() {
    return coordinators.counts();
  }

  /**
   * Takes over a pool that other compute nodes have used. Must be called before the first
   * transaction that writes.
   *
   * @param memory memory that is in use
   * @param timestamp a timestamp not below any that the other compute nodes have drawn
   */
  public void restore(MemoryInUse memory, long timestamp) {
    parts.chunks.restore(memory);
    clock.raiseTo(timestamp);
  }

  /**
   * Marks the pool as unclean: an exception has ended a change half way, and its effects are
   * unknown, so the next attach has to scan the whole pool.
   */
  public void markUnclean() {
    parts.markUnclean();
  }

  /**
   * Other compute nodes of the pool wait for work that is half done here, so they have to detect
   * that the engine has stopped. An exception on the way does not skip the rest; the sweeper calls
   * this again.
   */
  private void endConnections(Fabric fabric, Throwable why) {
    if (membership != null) {
      try {
        membership.stop();
      } finally {
        fabric.lose(why);
      }
    }
  }

  /**
   * Returns true if an exception has ended a change of the pool half way, so that this engine
   * cannot continue; see {@link FailStop}. The engine can be closed, and the pool attached again.
   */
  public boolean isStopped() {
    return context.failStop().isStopped();
  }

  /**
   * Throws if the engine has stopped.
   *
   * @throws org.nelumbo.error.NelumboException CONNECTION_LOST with the reason
   */
  public void checkNotStopped() {
    context.failStop().check();
  }

  /** Records that an exception has ended work after a change of the pool. */
  public void leave(String work, Throwable why) {
    context.leftovers().note(work, why);
  }

  /**
   * Returns the number of times that work after commits was ended by an exception, see {@link
   * Leftovers}.
   */
  public long leftovers() {
    return context.leftovers().count();
  }

  /**
   * Leaves the pool in order, if no other compute node has it open and none can join, and writes
   * the map of free memory for the next attach ({@link FreeSpaceMapWriter}). All coordinators must
   * have been closed; none can be opened afterwards.
   *
   * @param epoch epoch of the pool
   * @return the argument for {@link FreeSpaceMapWriter#publish}; NULL if the next attach has to
   *     scan the pool
   */
  public long leaveLast(long epoch) {
    sweeper.close();
    hasLeft = true;
    CleanShutdown shutdown = new CleanShutdown(parts, coordinators);
    return membership == null
        ? shutdown.leaveAlone(epoch)
        : shutdown.leaveAsLast(membership, epoch);
  }

  /**
   * Ends the exclusive use of a pool that was created or recovered, so that compute nodes can share
   * it. Leaves the fabric open, for an engine of this process that {@linkplain #join joins} next.
   * All coordinators must have been closed, and the engine must not have been started.
   *
   * @return the memory in use, for {@link #restore}
   */
  public FreeSpaceMap leaveToMembers() {
    FreeSpaceMap memory = new CleanShutdown(parts, coordinators).leaveToMembers();
    clock.close();
    return memory;
  }

  /**
   * Returns the bytes of the pool that all compute nodes have taken in chunks, as far as known
   * here.
   */
  public long takenBytes() {
    return parts.chunks.takenBytes();
  }

  /** Returns the bytes that were taken from one logical node. */
  public long takenBytes(int node) {
    return parts.chunks.takenBytes(node);
  }

  /** Returns the logical node for the rows of a shard, as long as that has room. */
  public int partitionNode(int shard) {
    return parts.chunks.node(shard);
  }

  /** Returns the usage of the pool's memory; exact while no coordinator works. */
  public PoolUsage poolUsage() {
    PoolUsage account = new PoolUsage();
    addUsage(account);
    return account;
  }

  /** Adds the usage of the memory that this compute node has taken. */
  public void addUsage(PoolUsage account) {
    parts.chunks.addTo(account);
    coordinators.open().forEach(each -> each.addTo(account));
    parts.logs.addTo(account);
  }

  /**
   * Returns true if memory is going to become free, as far as can be determined without stopping
   * the coordinators. When the horizon has passed the timestamp at which an allocation failed, and
   * no other transaction is in progress, all retired memory was retired by further attempts of that
   * allocation.
   */
  private boolean hasGarbage(long fullSince) {
    boolean isOwn = epochs().horizon() > fullSince && !epochs().isAnyPinned();
    return coordinators.hasGarbage()
        || (!isOwn && poolUsage().retiredBytes() > 0)
        || parts.chunks.isMemoryLeft();
  }

  /** Stops the engine at once, whatever its coordinators are doing; see {@link FailStop}. */
  public void stop(Throwable why) {
    context.failStop().note(why);
  }

  /**
   * Stops the background work of an engine that has stopped, so that another engine can use the
   * fabric.
   */
  public void leavePool() {
    sweeper.close();
    stopServing();
  }

  /**
   * Closes only the channels of an engine whose pool could not be opened. The pool stays unchanged
   * for the next attempt. An open channel would keep the connections to the pool, and thereby the
   * pool itself. No other thread may use the engine.
   */
  public void abandon() {
    leavePool();
    coordinators.open().forEach(Coordinator::abandon);
  }

  private void stopServing() {
    if (membership != null) {
      membership.close();
    }
    if (isShared()) {
      context.clusterLocks().stop();
    }
    clock.close();
  }

  /**
   * Stops the background work and closes the fabric; every coordinator must have been closed. Other
   * compute nodes continue to use a shared pool, unless this one was the {@linkplain #leaveLast
   * last}. If they cannot be notified, since the engine has stopped or the pool is lost, one of
   * them has to recover this compute node. The connections of a stopped engine are ended at once: a
   * channel that was not closed for lack of heap would block the next attach.
   */
  @Override
  public void close() {
    sweeper.close();
    try {
      if (membership != null && !hasLeft && !isStopped()) {
        new CleanShutdown(parts, coordinators).leaveToOthers(membership);
        hasLeft = true;
      }
    } catch (FabricException e) {
      LOG.warn(
          "the other compute nodes could not be notified that this one leaves: {}", e.getMessage());
    } finally {
      stopServing();
      if (isStopped()) {
        parts.fabric.lose(context.failStop().cause());
      }
      parts.fabric.close();
    }
  }
}
