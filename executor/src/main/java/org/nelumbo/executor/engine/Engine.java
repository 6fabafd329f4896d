package org.nelumbo.executor.engine;

import java.util.function.UnaryOperator;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.alloc.MemoryInUse;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.cache.RecordCache;
import org.nelumbo.executor.commit.LogDirectory;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;
import org.nelumbo.executor.txn.TransactionCounts;

/**
 * This compute node's engine on one pool: what its coordinators share. Thread-safe.
 *
 * <p>A background thread keeps the clock near physical time, moves the forced horizon, and collects
 * what closed coordinators left behind.
 */
public final class Engine implements AutoCloseable {
  private static final int REFRESH_AT_GARBAGE = 32;

  private final Environment environment;
  private final EngineOptions options;
  private final Fabric fabric;
  private final HybridClock clock;
  private final Epochs epochs;
  private final LockTable lockTable;
  private final ChunkPool depot;
  private final CvtCache cvtCache;
  private final RecordCache recordCache;
  private final LogDirectory logDirectory = new LogDirectory();
  private final Coordinators coordinators = new Coordinators();
  private final Tables tables = new Tables(this);
  private final Sweeper sweeper;
  private volatile boolean unclean;

  /** An engine on a formatted pool. The engine closes the fabric. */
  public Engine(Environment environment, Fabric fabric, EngineOptions options) {
    this(environment, fabric, options, new HybridClock(environment));
  }

  private Engine(Environment environment, Fabric fabric, EngineOptions options, HybridClock clock) {
    this(
        environment,
        fabric,
        options,
        clock,
        new Epochs(clock, options.snapshotRetentionNanos()),
        new LockTable(environment, options.lockBuckets()));
  }

  /** An engine of given parts: tests break one of them to see whether that is found. */
  public Engine(
      Environment environment,
      Fabric fabric,
      EngineOptions options,
      HybridClock clock,
      Epochs epochs,
      LockTable lockTable) {
    this.environment = environment;
    this.options = options;
    this.fabric = fabric;
    this.clock = clock;
    this.epochs = epochs;
    this.lockTable = lockTable;
    this.depot = new ChunkPool(fabric, epochs::horizon);
    this.cvtCache = fabric.isRemote() ? new CvtCache(options.cachedCvts()) : null;
    boolean cachesRecords = fabric.isRemote() && options.recordCacheBytes() > 0;
    this.recordCache = cachesRecords ? new RecordCache(options.recordCacheBytes()) : null;
    this.sweeper = new Sweeper(this);
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
    sweeper.start();
  }

  public Environment environment() {
    return environment;
  }

  public EngineOptions options() {
    return options;
  }

  public Fabric fabric() {
    return fabric;
  }

  public Clock clock() {
    return clock;
  }

  public Epochs epochs() {
    return epochs;
  }

  public LockTable lockTable() {
    return lockTable;
  }

  /** What is remembered of CVTs; null where reading them costs no more than remembering them. */
  public CvtCache cvtCache() {
    return cvtCache;
  }

  /** What is remembered of records; null if nothing is. */
  public RecordCache recordCache() {
    return recordCache;
  }

  /** What remembering records has done; in bytes. */
  public CacheCounts recordCacheCounts() {
    return recordCache == null ? CacheCounts.NONE : recordCache.counts();
  }

  /** What remembering CVTs has done; in rows. */
  public CacheCounts cvtCacheCounts() {
    return cvtCache == null ? CacheCounts.NONE : cvtCache.counts();
  }

  /** What remembering addresses of CVTs has done; in rows. */
  public CacheCounts addressCacheCounts() {
    return cvtCache == null ? CacheCounts.NONE : cvtCache.addressCounts();
  }

  /** Holds back what sessions need to delete rows although the pool is full. */
  public void fillLogReserve(PoolAllocator allocator) {
    logDirectory.fillReserve(allocator);
  }

  public LogDirectory logDirectory() {
    return logDirectory;
  }

  /** A coordinator for one connection or terminal; to be closed. */
  public Coordinator openCoordinator() {
    return open(fabric);
  }

  /** Opens a coordinator that counts what it asks of the fabric, at some cost for each verb. */
  public Coordinator openCountingCoordinator() {
    return open(fabric instanceof CountingFabric ? fabric : new CountingFabric(fabric));
  }

  private Coordinator open(Fabric through) {
    Coordinator coordinator = new Coordinator(this, through);
    if (!coordinators.add(coordinator)) {
      coordinator.close();
      throw new NelumboException(ErrorCode.SHUT_DOWN, "the database has been shut down");
    }
    return coordinator;
  }

  /** Makes, opens and drops the tables of this pool. */
  public Tables tables() {
    return tables;
  }

  public Coordinators coordinators() {
    return coordinators;
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
    depot.restore(memory);
    clock.raiseTo(timestamp);
  }

  /**
   * An exception has ended a change to the pool on its way, and nobody knows what is half done: who
   * attaches next has to look at everything.
   */
  public void markUnclean() {
    unclean = true;
  }

  /**
   * Writes down what memory is free, for who attaches next ({@link FreeSpaceMapWriter}), if the
   * pool is in order and nobody uses it any more: all coordinators are closed, and what they left
   * behind has been collected. No coordinator can be opened afterwards.
   *
   * @param epoch in which this compute node has had the pool
   * @return what {@link FreeSpaceMapWriter#publish} needs; NULL if who attaches next has to look
   */
  public long writeFreeSpaceMap(long epoch) {
    sweeper.close();
    return new CleanShutdown(this, depot).run(epoch);
  }

  boolean isUnclean() {
    return unclean;
  }

  /** Bytes of the pool that this compute node's coordinators have taken in chunks. */
  public long takenBytes() {
    return depot.takenBytes();
  }

  /** Bytes that were taken from one logical node. */
  public long takenBytes(int node) {
    return depot.takenBytes(node);
  }

  /** The logical node that the rows of a shard lie on, as long as it has room. */
  public int partitionNode(int shard) {
    return depot.node(shard);
  }

  /** Where the bytes of the pool are; exact while no coordinator works. */
  public PoolUsage poolUsage() {
    PoolUsage account = new PoolUsage();
    depot.addTo(account);
    coordinators.open().forEach(each -> each.allocator().addTo(account));
    logDirectory.addTo(account);
    return account;
  }

  PoolAllocator newAllocator(Channel channel) {
    return depot.newAllocator(channel);
  }

  /**
   * Recomputes the horizon if that much garbage waits for it: the cost is a look at every
   * coordinator, so it is not for each transaction.
   */
  public void refreshHorizonIfStale(int garbage) {
    if (garbage >= REFRESH_AT_GARBAGE) {
      epochs.refreshHorizon();
    }
  }

  /**
   * Lets go what waits for no more than a fresh horizon: before an allocation is tried again. The
   * sweeper's own epoch is no reason for a full pool.
   */
  public void refreshHorizonForMemory() {
    sweeper.awaitPause();
    epochs.refreshHorizon();
  }

  /** Why there is no memory, and what to do: for the message of a 53200. */
  public String fullPool() {
    int node = depot.nodeOutOfSpace();
    if (node < 0) {
      return "the memory pool is full; delete rows or open it with a larger memory= setting";
    }
    String name = fabric.nodeName(node);
    return "memory node "
        + (name.isEmpty() ? node : name)
        + " cannot grow to its size: the file system that its file is on is full; make room there,"
        + " or delete rows, and try again; nothing is lost";
  }

  /** Stops the background work and closes the fabric; every coordinator must have been closed. */
  @Override
  public void close() {
    sweeper.close();
    clock.close();
    fabric.close();
  }
}
