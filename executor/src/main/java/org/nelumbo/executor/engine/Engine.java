package org.nelumbo.executor.engine;

import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.alloc.LeftMemory;
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
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.cache.ReadCaches;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.context.FailStop;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.context.Sharing;
import org.nelumbo.executor.context.StoppableEnvironment;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.DurableClock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HandoverClock;
import org.nelumbo.executor.timestamp.PoolClock;
import org.nelumbo.executor.txn.TransactionCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This compute node's engine on one pool: what its coordinators share. Thread-safe.
 *
 * <p>A background thread keeps the clock near physical time, moves the forced horizon, and collects
 * what closed coordinators left behind.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final Clock clock;
  private final EngineContext context;
  private final EngineParts parts;
  private final Coordinators coordinators;
  private final Tables tables;
  private final Sweeper sweeper;

  /** Null as long as this compute node has the pool alone. */
  private volatile Membership membership;

  /** An engine on a formatted pool. The engine closes the fabric. */
  public Engine(Environment environment, Fabric fabric, EngineOptions options) {
    this(environment, fabric, options, new HandoverClock(environment));
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

  /** An engine of given parts: tests break one of them to see whether that is found. */
  public Engine(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      Clock clock,
      Epochs epochs,
      LockTable lockTable) {
    this(environment, fabric, options, clock, epochs, lockTable, ComputeNodeEntry.SOLE, null);
  }

  private Engine(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      Clock clock,
      Epochs epochs,
      LockTable lockTable,
      ComputeNodeEntry node,
      RedoLog redo) {
    ChunkPool chunks = new ChunkPool(fabric, epochs::horizon);
    EngineMemory memory =
        new EngineMemory(environment, fabric, chunks, epochs, options.minCopies());
    ReadCaches caches =
        !fabric.isRemote()
            ? ReadCaches.NONE
            : node.isSole()
                ? ReadCaches.remote(options.cachedCvts(), options.recordCacheBytes())
                : ReadCaches.joining(options.cachedCvts(), options.recordCacheBytes());
    this.clock = clock;
    FailStop failStop = new FailStop(this::hasStopped);
    this.context =
        new EngineContext(
            new StoppableEnvironment(environment, failStop),
            node,
            clock,
            epochs,
            lockTable,
            new Sharing(),
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
    this.sweeper = new Sweeper(parts, coordinators, this::endConnections);
  }

  /**
   * An engine on a pool that other compute nodes have open, too. Locks are theirs as well: whoever
   * asks for one gets it only if nobody has it on any of them.
   */
  public static Engine join(
      Environment environment, Fabric fabric, EngineOptions options, Membership membership) {
    ComputeNodeTable.Joined joined = ComputeNodeTable.join(fabric, membership.tenant());
    ComputeNodeEntry node = joined.node();
    try (Channel channel = fabric.openChannel(Long.BYTES)) {
      int mark = channel.mark();
      try {
        PoolClock clock = new PoolClock(environment);
        clock.read(channel);
        Epochs epochs = new Epochs(environment, clock, options.snapshotRetentionNanos());
        LockTable locks = new LockTable(environment, options.lockBuckets());
        Engine engine = new Engine(environment, fabric, options, clock, epochs, locks, node, null);
        engine.enter(membership, clock);
        if (joined.isMemoryLeft()) {
          engine.adoptMemory();
        }
        return engine;
      } catch (RuntimeException | Error e) {
        membership.leave();
        membership.close();
        channel.release(mark); // what was thrown may have left something there
        ComputeNodeTable.leave(channel, node); // an entry that stays holds back everybody's horizon
        throw e;
      }
    }
  }

  /** Before the first coordinator is opened: so who comes and goes takes no more each time. */
  private void adoptMemory() {
    int stagingBytes = SuperblockLayout.LENGTH + LeftMemory.STAGING_BYTES;
    try (Channel channel = parts.fabric.openChannel(stagingBytes)) {
      parts.refreshHorizon(channel);
      parts.adoptWanted(channel);
    }
  }

  /**
   * Lets other compute nodes have the pool, too, from now on: what this one has decided alone until
   * now it decides with them, while its transactions go on. To be called once, on an engine that
   * has its pool alone, and before anybody else is let in. If something is thrown the engine stops,
   * or has lost the pool.
   */
  public void share(Membership membership) {
    try (Channel channel = parts.fabric.openChannel(Long.BYTES)) {
      ComputeNodeTable.enterFirst(channel, context.node(), membership.tenant());
      enter(membership, ((HandoverClock) clock).handOver(channel));
      context.sharing().locks().start();
    } catch (RuntimeException | Error e) {
      stop(e);
      throw e;
    }
  }

  /** Others are there, or will be. */
  private void enter(Membership place, PoolClock time) {
    epochs().setOthersHorizon(0); // until they have been asked
    parts.exchangeHorizons(time);
    membership = place;
    ClusterLocks locks =
        place.enter(context.node(), lockTable(), caches().cvts(), context.failStop()::note);
    caches().share(locks::isOwned);
    context.sharing().begin(locks);
  }

  /**
   * An engine on a formatted pool in this process, whose commits are written to a log on a disk as
   * soon as that is recording.
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
        redo);
  }

  /** A started engine on a new pool in this process. */
  public static Engine openMemory(EngineOptions options) {
    return openMemory(options, UnaryOperator.identity());
  }

  /**
   * Opens an engine on a new pool in memory, with a decorator around the fabric, such as a {@code
   * CountingFabric}; it closes the fabric it is given.
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
      context.sharing().locks().start();
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

  /** Whether other compute nodes may have the pool, too. */
  public boolean isShared() {
    return context.sharing().isShared();
  }

  /** Locks that live on all compute nodes; null as long as this one has the pool alone. */
  public ClusterLocks clusterLocks() {
    return context.sharing().locks();
  }

  /** Locks that are kept here. */
  public LockTable lockTable() {
    return context.lockTable();
  }

  /**
   * Checks lock table and cached CVTs, while no coordinator is in the middle of a step. For tests.
   *
   * @param pool the word at an address of the pool, read past the fabric
   * @throws IllegalStateException if one of them is broken
   */
  public void verify(LongUnaryOperator pool) {
    lockTable().verify();
    caches().cvts().verify(lockTable()::isWriteLocked, pool);
  }

  /** What the compute node keeps of what was read; tests look into it. */
  public ReadCaches caches() {
    return context.caches();
  }

  /** What keeping records has done; in bytes. */
  public CacheCounts recordCacheCounts() {
    return context.caches().records().counts();
  }

  /** What keeping CVTs has done; in rows. */
  public CacheCounts cvtCacheCounts() {
    return context.caches().cvts().counts();
  }

  /** What keeping addresses of CVTs has done; in rows. */
  public CacheCounts addressCacheCounts() {
    return context.caches().cvts().addressCounts();
  }

  /** Holds back what sessions need to delete rows although the pool is full. */
  public void fillLogReserve(PoolAllocator allocator) {
    parts.logs.fillReserve(allocator);
  }

  /** A coordinator for one connection or terminal; to be closed. */
  public Coordinator openCoordinator() {
    return coordinators.open(parts.fabric);
  }

  /** Opens a coordinator that counts what it asks of the fabric, at some cost for each verb. */
  public Coordinator openCountingCoordinator() {
    Fabric fabric = parts.fabric;
    return coordinators.open(
        fabric instanceof CountingFabric ? fabric : new CountingFabric(fabric));
  }

  /** Whether commits are written to a disk. */
  public boolean isDurable() {
    return context.redo() != null || context.poolLog() != null;
  }

  /**
   * Waits until all that is committed now is on the disk, if that is where commits are written.
   *
   * @throws NelumboException OUTCOME_UNKNOWN if that cannot be
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
          e.getMessage() + "; what of it was done shows when the database is opened again",
          e);
    }
  }

  private static void awaitForced(PoolLog log) {
    try {
      log.force();
    } catch (FabricException e) {
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          e.getMessage() + "; what of it was done shows when the pool is opened again",
          e);
    }
  }

  /** Waits until who only reads sees all that is committed now, unless the engine stops. */
  public void awaitSettled() {
    if (context.redo() != null) {
      try {
        context.redo().awaitMoment(clock.now());
      } catch (RedoFailedException e) {
        LOG.debug("nobody reads here any more: {}", e.getMessage());
      }
    }
  }

  /** Makes, opens and drops the tables of this pool. */
  public Tables tables() {
    return tables;
  }

  /** This compute node, as the others know it. */
  public ComputeNodeEntry node() {
    return context.node();
  }

  /** For the classes of this package. */
  Coordinators coordinators() {
    return coordinators;
  }

  /** How long round trips to memory nodes take; nothing where there are none. */
  public LatencyHistogram flushLatency() {
    return parts.flushes;
  }

  /** How all transactions of this engine ended; a copy. */
  public TransactionCounts transactionCounts() {
    return coordinators.counts();
  }

  /**
   * Takes over a pool that other compute nodes have used: what is in use, and a timestamp not below
   * any of theirs. Before the first transaction that writes.
   */
  public void restore(MemoryInUse memory, long timestamp) {
    parts.chunks.restore(memory);
    clock.raiseTo(timestamp);
  }

  /**
   * An exception has ended a change to the pool on its way, and nobody knows what is half done: who
   * attaches next has to look at everything.
   */
  public void markUnclean() {
    parts.markUnclean();
  }

  /**
   * Nobody goes on with this engine. Other compute nodes that share the pool wait for what is half
   * done here; so they are to notice: all connections end.
   */
  private void hasStopped(Throwable why) {
    try {
      markUnclean();
    } finally {
      endConnections(why);
    }
  }

  /** What was thrown on the way is no reason to leave the rest: the sweeper does it again. */
  private void endConnections(Throwable why) {
    Membership place = membership;
    if (place != null) {
      try {
        place.stop();
      } finally {
        parts.fabric.lose(why);
      }
    }
  }

  /**
   * Whether an exception has ended a change of the pool half way, so that nobody goes on with this
   * engine: see {@link FailStop}. It can be closed, and the pool attached again.
   */
  public boolean isStopped() {
    return context.failStop().isStopped();
  }

  /**
   * Says why the engine has stopped, if it has.
   *
   * @throws org.nelumbo.error.NelumboException CONNECTION_LOST
   */
  public void checkNotStopped() {
    context.failStop().check();
  }

  /** Notes that work after a change of the pool has ended in an exception. */
  public void leave(String work, Throwable why) {
    context.leftovers().note(work, why);
  }

  /** Times that work after commits was ended by an exception, see {@link Leftovers}. */
  public long leftovers() {
    return context.leftovers().count();
  }

  /**
   * Writes down what memory is free, for whoever attaches next ({@link FreeSpaceMapWriter}), if the
   * pool is in order and nobody uses it any more: all coordinators are closed, and what they left
   * behind has been collected. No coordinator can be opened afterwards.
   *
   * @param epoch in which this compute node has had the pool
   * @return what {@link FreeSpaceMapWriter#publish} needs; NULL if whoever attaches next has to
   *     look
   */
  public long writeFreeSpaceMap(long epoch) {
    sweeper.close();
    return new CleanShutdown(parts, coordinators).run(epoch);
  }

  /** Bytes of the pool that were taken in chunks, by all compute nodes, as far as is known. */
  public long takenBytes() {
    return parts.chunks.takenBytes();
  }

  /** Bytes that were taken from one logical node. */
  public long takenBytes(int node) {
    return parts.chunks.takenBytes(node);
  }

  /** The logical node that the rows of a shard lie on, as long as it has room. */
  public int partitionNode(int shard) {
    return parts.chunks.node(shard);
  }

  /** Where the bytes of the pool are; exact while no coordinator works. */
  public PoolUsage poolUsage() {
    PoolUsage account = new PoolUsage();
    addUsage(account);
    return account;
  }

  /** Adds where the bytes of the pool are that this compute node has. */
  public void addUsage(PoolUsage account) {
    parts.chunks.addTo(account);
    coordinators.open().forEach(each -> each.addTo(account));
    parts.logs.addTo(account);
  }

  /**
   * Returns true if memory is going to come free, as far as can be seen without stopping the
   * coordinators. When the horizon has passed the timestamp at which an allocation failed, and no
   * other transaction is in progress, all that is retired was retired by further attempts of that
   * allocation.
   */
  private boolean hasGarbage(long fullSince) {
    boolean isOwn = epochs().horizon() > fullSince && !epochs().isAnyPinned();
    return coordinators.hasGarbage()
        || (!isOwn && poolUsage().retiredBytes() > 0)
        || parts.chunks.isMemoryLeft();
  }

  /** Stops the engine at once, whatever its coordinators are doing: see {@link FailStop}. */
  public void stop(Throwable why) {
    context.failStop().note(why);
  }

  /** Stops the background work of an engine that has stopped; another one may have the fabric. */
  public void leavePool() {
    sweeper.close();
    stopServing();
  }

  /**
   * Closes the channels of an engine whose pool could not be opened, and nothing else: whoever
   * opens the pool next finds it as it is. A channel that stayed open would keep the connections to
   * the pool, and who keeps them has it. No other thread may use the engine.
   */
  public void abandon() {
    leavePool();
    coordinators.open().forEach(Coordinator::abandon);
  }

  private void stopServing() {
    Membership place = membership;
    if (place != null) {
      place.close();
    }
    if (isShared()) {
      context.sharing().locks().stop();
    }
    clock.close();
  }

  /**
   * Stops the background work and closes the fabric; every coordinator must have been closed. Other
   * compute nodes that have the pool go on without this one. If they cannot be told, as the engine
   * has stopped or the pool is lost, one of them has to recover it. The connections of an engine
   * that has stopped end at once: a channel that was never closed, as there was no heap for that,
   * would keep the pool from whoever attaches next.
   */
  @Override
  public void close() {
    sweeper.close();
    try {
      Membership place = membership;
      if (place != null && !isStopped()) {
        new CleanShutdown(parts, coordinators).leaveToOthers(place);
      }
    } catch (FabricException e) {
      LOG.warn("the others have not been told that this compute node leaves: {}", e.getMessage());
    } finally {
      stopServing();
      if (isStopped()) {
        parts.fabric.lose(context.failStop().cause());
      }
      parts.fabric.close();
    }
  }
}
