package org.nelumbo.database.open;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.database.EmbeddedSession;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.check.DatabaseCheck;
import org.nelumbo.database.check.Findings;
import org.nelumbo.database.ddl.SchemaChanges;
import org.nelumbo.database.infoschema.InformationSchema;
import org.nelumbo.database.plancache.PlanCache;
import org.nelumbo.database.plancache.PlanInvalidator;
import org.nelumbo.database.plancache.StatementCompiler;
import org.nelumbo.database.session.IdleTransactions;
import org.nelumbo.database.session.LocalSession;
import org.nelumbo.database.session.SessionContext;
import org.nelumbo.database.session.SessionRegistry;
import org.nelumbo.database.sysviews.FindingsView;
import org.nelumbo.database.sysviews.StatisticsReader;
import org.nelumbo.database.sysviews.SystemViews;
import org.nelumbo.database.sysviews.WorkloadViews;
import org.nelumbo.database.workload.WorkloadMonitor;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.txn.TransactionCounts;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.planner.catalog.CatalogSnapshots;
import org.nelumbo.planner.catalog.CatalogWatcher;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.session.SessionOptions;

/**
 * A database whose engine runs in this process. It assembles the parts of the database, and closes
 * them in order. Thread-safe.
 */
public final class LocalDatabase implements Database {
  private final DatabaseOptions options;
  private final PoolAttachment pool;
  private final Engine engine;
  private final Catalog catalog;
  private final PlanCache planCache;
  private final SchemaChanges schemaChanges;
  private final PlanInvalidator planInvalidator;
  private final SessionRegistry sessions = new SessionRegistry();
  private final WorkloadMonitor monitor;
  private final SessionContext context;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final ReentrantLock endLock = new ReentrantLock();

  /**
   * Action that releases the pool without detaching in order. It is allocated in advance, because
   * the heap may be full when it is needed.
   */
  private final Runnable abandoning = this::abandonParts;

  private final Runnable losing = this::loseParts;

  /** The action among these two that has not finished; null if there is none. */
  private volatile Runnable unfinished;

  /** Null in an exclusive pool, as is the member. */
  private CatalogWatcher watcher;

  private final IdleTransactions idle;

  private ClusterMember member;

  private volatile DatabaseHolder holder = new DatabaseHolder(this);

  /**
   * Opens a database on an attached pool. After a failure no thread of the database remains, and
   * the caller must release the pool.
   */
  static LocalDatabase open(DatabaseOptions options, PoolAttachment pool) {
    LocalDatabase database = new LocalDatabase(options, pool);
    try {
      database.start();
      return database;
    } catch (RuntimeException | Error e) {
      database.stopThreads();
      throw e;
    }
  }

  private LocalDatabase(DatabaseOptions options, PoolAttachment pool) {
    this.options = options;
    this.pool = pool;
    this.engine = pool.engine();
    this.catalog = pool.catalog();
    StatementPlanner planner = new StatementPlanner();
    this.planCache =
        new PlanCache(
            engine.environment(),
            catalog,
            new StatementCompiler(planner, engine.environment()::nanoTime),
            options.planCacheSize());
    Findings findings = new Findings();
    this.schemaChanges =
        new SchemaChanges(
            engine,
            catalog,
            planner,
            this::metadataLocks,
            options.versions(),
            findings,
            options.directories());
    this.planInvalidator = new PlanInvalidator(engine, catalog, planCache);
    this.monitor = new WorkloadMonitor(engine);
    this.idle = new IdleTransactions(engine.environment(), sessions);
    this.context =
        new SessionContext(
            this,
            engine,
            catalog,
            planCache,
            schemaChanges,
            planInvalidator,
            monitor,
            new DatabaseCheck(engine, catalog, planner, findings),
            options.directories());
    InformationSchema.addTo(catalog);
    SystemViews.addAll(
        engine,
        catalog,
        planCache,
        planInvalidator,
        sessions,
        pool.report(),
        () -> member,
        PoolAttachment::ownName);
    FindingsView.addTo(catalog, engine, findings);
    new WorkloadViews(engine, monitor).addTo(catalog);
    catalog.publishViews();
  }

  private void start() {
    if (pool.shared() != null) {
      follow(pool.shared().member(), pool.shared().schemaVersion());
    }
    if (pool.shared() == null || pool.shared().isFirst()) {
      schemaChanges.dropTemporarySchemas();
    }
    SharedPool nodes = engine.fabric().sharing();
    if (nodes != null && pool.shared().isFirst()) {
      nodes.share();
    }
    planInvalidator.start();
  }

  private void follow(ClusterMember self, long schemaVersion) {
    member = self;
    watcher =
        new CatalogWatcher(engine, catalog, self.schema(), sessions::metadataLocks, schemaVersion);
    schemaChanges.share(watcher);
    watcher.start();
    idle.start();
    self.watch(engine, watcher);
  }

  /** Returns the metadata locks of all sessions and of internal readers of tables. */
  private Iterator<HeldMetadataLocks> metadataLocks() {
    List<HeldMetadataLocks> all = new ArrayList<>(pool.metadataLocks());
    sessions.metadataLocks().forEachRemaining(all::add);
    return all.iterator();
  }

  /** Returns the engine, for tests. */
  public Engine engine() {
    return engine;
  }

  /** Returns the catalog, for tests. */
  Catalog catalogOfPool() {
    return catalog;
  }

  /** Returns the plan invalidator, for tests. */
  PlanInvalidator planInvalidator() {
    return planInvalidator;
  }

  @Override
  public DatabaseOptions options() {
    return options;
  }

  @Override
  public EmbeddedSession connect(SessionOptions sessionOptions) {
    checkOpen();
    catalog.state().checkSchema(sessionOptions.schema());
    LocalSession session = sessions.open(context, sessionOptions);
    if (!open.get()) {
      session.abort();
      throw shutDown();
    }
    return session;
  }

  private void checkOpen() {
    if (!isOpen()) {
      engine.checkNotStopped();
      throw shutDown();
    }
  }

  private static NelumboException shutDown() {
    return new NelumboException(ErrorCode.CONNECTION_CLOSED, "the database has been shut down");
  }

  @Override
  public NativeSession openNative() {
    checkOpen();
    return sessions.openNative(context);
  }

  @Override
  public CatalogReader catalog() {
    return CatalogSnapshots.of(catalog.state());
  }

  @Override
  public DatabaseStatistics statistics() {
    return StatisticsReader.read(engine, planCache, sessions, pool.report(), monitor, member);
  }

  @Override
  public Supplier<DatabaseStatistics> statisticsSource() {
    return holder;
  }

  void moveTo(DatabaseHolder newPlace) {
    holder = newPlace;
  }

  @Override
  public List<String> locations() {
    return pool.locations();
  }

  @Override
  public void pinShards(BitSet shards, long node) {
    checkOpen();
    if (member == null) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "the pool is not shared: this compute node owns all shards, and they cannot move");
    }
    try {
      if (!member.pinShards(shards, node)) {
        throw new NelumboException(
            ErrorCode.BAD_PARAMETER,
            "no compute node "
                + node
                + " shares the pool; SYS.COMPUTE_NODES lists the members and their numbers");
      }
    } catch (IllegalArgumentException e) {
      throw new NelumboException(ErrorCode.LIMIT_EXCEEDED, e.getMessage(), e);
    } catch (FabricException e) {
      throw new NelumboException(ErrorCode.CONNECTION_LOST, e.getMessage(), e);
    }
  }

  @Override
  public void releaseShards(BitSet shards) {
    checkOpen();
    if (member != null) {
      try {
        member.releaseShards(shards);
      } catch (FabricException e) {
        throw new NelumboException(ErrorCode.CONNECTION_LOST, e.getMessage(), e);
      }
    }
  }

  /**
   * Returns true while the database is open. If the engine has stopped, the database first releases
   * its pool, which may then be opened again.
   */
  @Override
  public boolean isOpen() {
    if (engine.isStopped()) {
      abandon();
    }
    finish();
    return open.get();
  }

  private void end(Runnable parts) {
    if (open.compareAndSet(true, false)) {
      unfinished = parts;
    }
    finish();
  }

  /**
   * An error, such as a full heap, may interrupt the action; the next caller then repeats it from
   * the beginning. Therefore no thread and no connection of the database stays forever, which would
   * block the next process that opens the pool.
   */
  private void finish() {
    if (unfinished == null) {
      return;
    }
    endLock.lock();
    try {
      Runnable parts = unfinished;
      if (parts != null) {
        parts.run();
        holder.closed(this);
        unfinished = null;
      }
    } finally {
      endLock.unlock();
    }
  }

  /** Returns the id of the pool; 0 if the pool ends with the process. */
  public long poolId() {
    return pool.report().poolId();
  }

  /**
   * Returns the defects of tables that were detected when the pool was opened, and that prevent the
   * tables from being read.
   */
  public List<String> damagedTables() {
    return catalog.state().tables().stream()
        .filter(table -> table.damage() != null)
        .map(table -> table + ": " + table.damage())
        .toList();
  }

  /**
   * Writes a checkpoint of a database in files, which shortens the next opening. Concurrent
   * transactions continue.
   *
   * @return true if the checkpoint was completed
   */
  public boolean checkpoint() {
    return pool.checkpoint();
  }

  /** Checks that the pool has this name or none; throws 08001 otherwise. */
  public void checkPoolName(String wanted) {
    pool.checkName(wanted);
  }

  /**
   * Returns true if the pool can still be reached. Otherwise this database is unusable, and
   * releases its resources; another one may be opened when the memory nodes are available again.
   */
  public boolean isReachable() {
    boolean reachable = pool.isReachable();
    if (!reachable) {
      end(losing);
    }
    return reachable;
  }

  private void loseParts() {
    stopThreads();
    if (watcher == null) {
      engine.close();
    } else { // it cannot leave in order, with open sessions: the others detect that it has failed
      engine.leavePool();
      engine.fabric().close();
    }
  }

  @Override
  public void checkReachable() {
    checkOpen();
    pool.checkReachable();
  }

  private void stopThreads() {
    planInvalidator.close();
    if (watcher != null) {
      watcher.stop();
      idle.stop();
    }
  }

  /** Returns true if the engine has stopped and the pool is in the memory of this process. */
  boolean isRecoverable() {
    return engine.isStopped() && !pool.outlivesProcess();
  }

  /**
   * Reopens the pool of a stopped database; pending changes are completed or undone.
   *
   * @throws NelumboException CONNECTION_FAILED while the database has sessions, which may still be
   *     running
   */
  public LocalDatabase recover() {
    assert isRecoverable() : "the pool cannot be recovered in place";
    if (!sessions.isEmpty()) {
      throw new NelumboException(
          ErrorCode.CONNECTION_FAILED,
          "the database has stopped, and is recovered when all its previous connections"
              + " are closed: close them and try again");
    }
    PoolAttachment recovered = PoolAttachment.recoverMemory(options, engine);
    try {
      return open(options, recovered);
    } catch (RuntimeException | Error e) {
      recovered.engine().stop(e);
      recovered.engine().abandon(); // the memory stays, for the next attempt
      throw e;
    }
  }

  /**
   * Detaches from the pool in order if it outlives the process and no session is open. Called at
   * the end of the process.
   *
   * @return false if a session is open; the caller may try again
   */
  public boolean closeIfIdle() {
    boolean isOver = !pool.outlivesProcess() || !open.get();
    boolean isIdle = sessions.isEmpty();
    if (!isOver && isIdle) {
      close();
    }
    return isOver || isIdle;
  }

  /**
   * Returns a number that changes when sessions are opened or closed, and when transactions end.
   */
  public long activity() {
    TransactionCounts ended = engine.transactionCounts();
    long transactions = ended.committed() + ended.rolledBack() + ended.lost();
    return (transactions << 20) + sessions.sessions().size();
  }

  /** Returns true if a session is running a statement. */
  public boolean isBusy() {
    return sessions.sessions().stream().anyMatch(session -> session.runningSql() != null);
  }

  @Override
  public void abandon(Throwable why) {
    engine.stop(why);
    abandon();
  }

  /** Closes the database without touching the memory of its pool, as if its process had failed. */
  public void abandon() {
    end(abandoning);
  }

  private void abandonParts() {
    context.abandon();
    sessions.abandonAll();
    stopThreads();
    schemaChanges.abandon();
    catalog.abandon();
    if (isRecoverable()) {
      engine.leavePool();
    } else {
      try {
        pool.abandon();
      } finally {
        engine.close();
      }
    }
  }

  @Override
  public void close() {
    if (engine.isStopped()) {
      abandon();
    }
    if (!open.compareAndSet(true, false)) {
      return;
    }
    sessions.abortAll();
    catalog.changeLock().lock();
    try {
      closeParts();
    } catch (OutOfMemoryError e) {
      engine.stop(e);
      unfinished = abandoning;
      throw e;
    } finally {
      catalog.changeLock().unlock();
      if (unfinished == null) {
        holder.closed(this);
      }
    }
  }

  /**
   * A channel that stayed open on an unreachable pool would keep its connections, and memory nodes
   * would take this compute node for alive.
   */
  private void closeParts() {
    try {
      try {
        planInvalidator.close();
        schemaChanges.close();
      } finally {
        if (watcher != null) {
          watcher.close();
          idle.close();
        }
        catalog.close();
      }
      pool.leave();
    } finally {
      engine.close();
    }
  }
}
