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
import org.nelumbo.planner.catalog.CatalogFollower;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.planner.catalog.CatalogSnapshots;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.session.SessionOptions;

/**
 * A database whose engine runs in this process: puts its parts together, and closes them in order.
 * Thread-safe.
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
   * Action that lets go of the pool without leaving it in order; made beforehand, since the heap
   * may be full then.
   */
  private final Runnable abandoning = this::abandonParts;

  private final Runnable losing = this::loseParts;

  /** The one of these that has not come to its end; null if none is to. */
  private volatile Runnable unfinished;

  /** Null as long as this process has the pool alone. */
  private volatile CatalogFollower follower;

  private final IdleTransactions idle;

  /** This process among those that share the pool; null as long as it has it alone. */
  private volatile ClusterMember member;

  /** Null if this process cannot let others into the pool, or has come beside others. */
  private final PoolSharing sharing;

  private volatile DatabaseHolder place = new DatabaseHolder(this);

  /**
   * Opens a database on a pool that this process has. If that fails no thread of the database is
   * left; the pool is the caller's to let go of.
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
            engine.environment(), catalog, new StatementCompiler(planner), options.planCacheSize());
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
    SharedPool shared = engine.fabric().sharing();
    this.sharing =
        shared == null || pool.shared() != null
            ? null
            : new PoolSharing(options, engine, shared, this::share);
  }

  private void start() {
    if (pool.shared() != null) {
      follow(pool.shared().member(), pool.shared().schemaVersion());
    } else {
      schemaChanges.dropTemporarySchemas();
    }
    planInvalidator.start();
    if (sharing != null) {
      sharing.start();
    }
  }

  /**
   * Lets others have the pool, too, from now on: before the first of them is let in.
   *
   * @param self this compute node, which has not entered yet
   */
  public void share(ClusterMember self) {
    catalog.changeLock().lock(); // no schema change is in progress
    try {
      engine.share(self);
      self.schema().change(schema -> schema.ended(catalog.nextId()));
      follow(self, self.schema().state().version());
    } finally {
      catalog.changeLock().unlock();
    }
  }

  /** Goes along with schema changes of others, and looks after the dead. */
  private void follow(ClusterMember self, long schemaVersion) {
    member = self;
    follower =
        new CatalogFollower(engine, catalog, self.schema(), sessions::metadataLocks, schemaVersion);
    schemaChanges.share(follower);
    follower.start();
    idle.start();
    self.watch(engine, follower);
  }

  /** Those of all sessions, and of whoever else reads tables. */
  private Iterator<HeldMetadataLocks> metadataLocks() {
    List<HeldMetadataLocks> all = new ArrayList<>(pool.metadataLocks());
    sessions.metadataLocks().forEachRemaining(all::add);
    return all.iterator();
  }

  /** For tests. */
  public Engine engine() {
    return engine;
  }

  /** For tests. */
  Catalog catalogOfPool() {
    return catalog;
  }

  /** For tests. */
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
  public Supplier<DatabaseStatistics> place() {
    return place;
  }

  void moveTo(DatabaseHolder newPlace) {
    place = newPlace;
  }

  @Override
  public List<String> places() {
    return pool.places();
  }

  @Override
  public void placeShards(BitSet shards, long node) {
    checkOpen();
    ClusterMember self = member;
    if (self == null) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "nobody shares the pool: this compute node decides on all locks, and shards cannot move");
    }
    try {
      if (!self.placeShards(shards, node)) {
        throw new NelumboException(
            ErrorCode.BAD_PARAMETER,
            "no compute node "
                + node
                + " shares the pool; SYS.COMPUTE_NODES shows who does, and their numbers");
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
    ClusterMember self = member;
    if (self != null) {
      try {
        self.releaseShards(shards);
      } catch (FabricException e) {
        throw new NelumboException(ErrorCode.CONNECTION_LOST, e.getMessage(), e);
      }
    }
  }

  /** A database whose engine has stopped lets go of its pool, which may then be opened again. */
  @Override
  public boolean isOpen() {
    if (engine.isStopped()) {
      abandon();
    }
    finish();
    return open.get();
  }

  /** Lets go of the pool, as {@code parts} do, if nobody has closed the database. */
  private void end(Runnable parts) {
    if (open.compareAndSet(true, false)) {
      unfinished = parts;
    }
    finish();
  }

  /**
   * Lets go of what is left of a database that is not open any more. An error, such as a full heap,
   * may end that half way: the next caller does it again from the beginning. So no thread and no
   * connection of the database stays for ever, which would keep the pool from whoever opens it
   * next.
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
        place.closed(this);
        unfinished = null;
      }
    } finally {
      endLock.unlock();
    }
  }

  /** Id of the pool; 0 if it ends with the process. */
  public long poolId() {
    return pool.report().poolId();
  }

  /** What was found wrong with tables when the pool was opened, and keeps them from being read. */
  public List<String> damagedTables() {
    return catalog.state().tables().stream()
        .filter(table -> table.damage() != null)
        .map(table -> table + ": " + table.damage())
        .toList();
  }

  /**
   * Writes a checkpoint of a database in files, so that it is opened faster the next time; whether
   * that came to its end. Nobody is stopped meanwhile.
   */
  public boolean checkpoint() {
    return pool.checkpoint();
  }

  /** Checks that the pool has that name, or none; 08001 if not. */
  public void checkPoolName(String wanted) {
    pool.checkName(wanted);
  }

  /**
   * Whether the pool can still be reached. Once it cannot, this database is of no use any more and
   * lets go of what it has; another may be opened when the memory nodes are back.
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
    if (follower == null) {
      engine.close();
    } else { // it cannot leave in order, with sessions: the others find that it is gone
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
    if (sharing != null) {
      sharing.stop();
    }
    if (follower != null) {
      follower.stop();
      idle.stop();
    }
  }

  /** Whether its engine has stopped, and the pool is in this process's memory. */
  boolean isRecoverable() {
    return engine.isStopped() && !pool.outlivesProcess();
  }

  /**
   * Opens the pool of a database that has stopped anew; what was half done is finished or undone.
   *
   * @throws NelumboException CONNECTION_FAILED while it has sessions, which may be working yet
   */
  public LocalDatabase recover() {
    assert isRecoverable() : "a pool that is opened in another way";
    if (!sessions.isEmpty()) {
      throw new NelumboException(
          ErrorCode.CONNECTION_FAILED,
          "the database has stopped, and is recovered when all connections to it that were open"
              + " then are closed: close them and try again");
    }
    PoolAttachment recovered = PoolAttachment.recoverMemory(options, engine);
    try {
      return open(options, recovered);
    } catch (RuntimeException | Error e) {
      recovered.engine().stop(e);
      recovered.engine().abandon(); // the memory stays, for whoever tries again
      throw e;
    }
  }

  /**
   * Leaves the pool in order if it outlives the process and no session is open: for the end of the
   * process.
   *
   * @return false if a session is open; whoever asks may do so again
   */
  public boolean closeIfIdle() {
    boolean isOver = !pool.outlivesProcess() || !open.get();
    boolean isIdle = sessions.isEmpty();
    if (!isOver && isIdle) {
      close();
    }
    return isOver || isIdle;
  }

  /** A number that changes when connections come and go, and when transactions end. */
  public long activity() {
    TransactionCounts ended = engine.transactionCounts();
    long transactions = ended.committed() + ended.rolledBack() + ended.lost();
    return (transactions << 20) + sessions.sessions().size();
  }

  /** Whether a session runs a statement just now. */
  public boolean isBusy() {
    return sessions.sessions().stream().anyMatch(session -> session.runningSql() != null);
  }

  @Override
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
    if (sharing != null) {
      sharing.close();
    }
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
        place.closed(this);
      }
    }
  }

  /**
   * Lets go of the pool even if it cannot be reached any more: a channel that stayed open would
   * keep the connections, by which memory nodes take this compute node for alive.
   */
  private void closeParts() {
    try {
      try {
        planInvalidator.close();
        schemaChanges.close();
      } finally {
        if (follower != null) {
          follower.close();
          idle.close();
        }
        catalog.close();
      }
      if (follower == null) {
        pool.leave();
      } else {
        pool.leaveShared();
      }
    } finally {
      engine.close();
    }
  }
}
