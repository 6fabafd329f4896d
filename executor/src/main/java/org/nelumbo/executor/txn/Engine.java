package org.nelumbo.executor.txn;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.alloc.ChunkDepot;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolFormat;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;

/**
 * This compute node's engine on one pool: what its coordinators share. Thread-safe.
 *
 * <p>A background thread keeps the clock near physical time, moves the forced horizon, and collects
 * what closed coordinators left behind.
 */
public final class Engine implements AutoCloseable {
  private static final int PRIORITY_SLOT_BITS = 12;
  private static final int REFRESH_AT_GARBAGE = 32;

  private final Environment environment;
  private final EngineOptions options;
  private final Fabric fabric;
  private final HybridClock clock;
  private final Epochs epochs;
  private final LockTable lockTable;
  private final ChunkDepot depot;
  private final ReentrantLock orphansLock = new ReentrantLock();
  private final ArrayDeque<Garbage> orphans = new ArrayDeque<>();
  private final Sweeper sweeper;

  /** An engine on a formatted pool. The engine closes the fabric. */
  public Engine(Environment environment, Fabric fabric, EngineOptions options) {
    this.environment = environment;
    this.options = options;
    this.fabric = fabric;
    this.clock = new HybridClock(environment);
    this.epochs = new Epochs(clock, options.snapshotRetentionNanos());
    this.lockTable = new LockTable(environment, options.lockBuckets());
    this.depot = new ChunkDepot(fabric, epochs::horizon);
    this.sweeper = new Sweeper(this);
  }

  /** A started engine on a new pool in this process. */
  public static Engine openMemory(EngineOptions options) {
    return openMemory(options, UnaryOperator.identity());
  }

  /**
   * The same with something around the fabric, such as a {@code CountingFabric}; it closes the
   * fabric it is given.
   */
  public static Engine openMemory(EngineOptions options, UnaryOperator<Fabric> decorator) {
    Environment environment = new SystemEnvironment();
    Fabric fabric = decorator.apply(new LocalFabric(1, options.memoryBytes()));
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

  /** A coordinator for one connection or terminal; to be closed. */
  public Coordinator openCoordinator() {
    return new Coordinator(this);
  }

  /** Bytes of the pool that this compute node's coordinators have taken in chunks. */
  public long takenBytes() {
    return depot.takenBytes();
  }

  PoolAllocator newAllocator(Channel channel) {
    return depot.newAllocator(channel);
  }

  /** Wait-die priority: the start timestamp, made unique by the coordinator. Smaller is older. */
  long priority(long startTimestamp, int slot) {
    return (startTimestamp << PRIORITY_SLOT_BITS) | slot;
  }

  /** Younger than every transaction there is. */
  long youngestPriority() {
    return (clock.now() + 1) << PRIORITY_SLOT_BITS;
  }

  /**
   * Recomputes the horizon if that much garbage waits for it: the cost is a look at every
   * coordinator, so it is not for each transaction.
   */
  void refreshHorizonIfStale(int garbage) {
    if (garbage >= REFRESH_AT_GARBAGE) {
      epochs.refreshHorizon();
    }
  }

  /** Creates an empty table's indexes. */
  public TableStore createTable(Coordinator coordinator, TableSchema schema) {
    Channel channel = coordinator.channel();
    long hash = HashIndex.create(channel, coordinator.allocator());
    long primary =
        hash != PoolAddress.NULL && schema.ordered()
            ? OrderedIndex.create(channel, coordinator.allocator())
            : PoolAddress.NULL;
    if (hash == PoolAddress.NULL || (schema.ordered() && primary == PoolAddress.NULL)) {
      throw outOfMemory("table " + schema.name());
    }
    return openTable(schema, new TableStore.TableRoots(hash, primary), List.of(), List.of());
  }

  /** Opens a table that is in the pool. */
  public TableStore openTable(
      TableSchema schema,
      TableStore.TableRoots roots,
      List<IndexSchema> indexes,
      List<Long> indexRoots) {
    return new TableStore(environment, clock::now, schema, roots, indexes, indexRoots);
  }

  /**
   * Creates an empty secondary index; the caller fills it and adds it to the table, under the
   * schema lock.
   */
  public IndexStore createIndex(Coordinator coordinator, TableStore table, IndexSchema schema) {
    long root = OrderedIndex.create(coordinator.channel(), coordinator.allocator());
    if (root == PoolAddress.NULL) {
      throw outOfMemory("index " + schema.name());
    }
    return table.newIndex(environment, schema, root);
  }

  /**
   * Adds the entries of all rows to a new index; nobody uses the table meanwhile.
   *
   * @throws NelumboException 23505 if the index is unique and two rows have one value, 53200 if the
   *     pool is full; the index is then to be dropped
   */
  public void fillIndex(Coordinator coordinator, IndexStore index) {
    IndexFiller.fill(coordinator, index);
  }

  /** Gives back the memory of a table's indexes; nobody uses the table any more. */
  public void dropTable(Coordinator coordinator, TableStore table) {
    table.hash().drop(coordinator.channel(), coordinator.allocator());
  }

  private static NelumboException outOfMemory(String what) {
    return new NelumboException(
        ErrorCode.OUT_OF_MEMORY,
        "the memory pool is full: no room for " + what + "; open it with a larger memory= setting");
  }

  /** Takes over the garbage of a coordinator that is closing. */
  void adopt(Garbage garbage) {
    if (garbage.size() == 0) {
      return;
    }
    orphansLock.lock();
    try {
      orphans.add(garbage);
    } finally {
      orphansLock.unlock();
    }
  }

  /** Garbage nobody owns, or null. */
  Garbage nextOrphan() {
    orphansLock.lock();
    try {
      return orphans.poll();
    } finally {
      orphansLock.unlock();
    }
  }

  /** Stops the background work and closes the fabric; every coordinator must have been closed. */
  @Override
  public void close() {
    sweeper.close();
    clock.close();
    fabric.close();
  }
}
