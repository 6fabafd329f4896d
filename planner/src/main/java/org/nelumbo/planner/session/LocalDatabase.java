package org.nelumbo.planner.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolName;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.DatabaseOptions;
import org.nelumbo.planner.DatabaseStatistics;
import org.nelumbo.planner.NativeSession;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.SessionOptions;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.planner.catalog.CatalogSnapshots;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.ddl.ExclusiveMetadataLocks;
import org.nelumbo.planner.ddl.MaintenanceQueries;
import org.nelumbo.planner.ddl.SchemaChanges;
import org.nelumbo.planner.ddl.StoreBuilder;
import org.nelumbo.planner.physical.StatementPlanner;

/** A database whose engine runs in this process. */
public final class LocalDatabase implements Database {
  private final DatabaseOptions options;
  private final Engine engine;
  private final Catalog catalog;

  /** In which this process has the pool; 0 if the pool ends with the process. */
  private final long epoch;

  private final PlanCache planCache;
  private final StoreBuilder stores;
  private final SchemaChanges schemaChanges;
  private final PlanInvalidator growth;

  /** Sessions by number, so that schema changes look at them in the same order in every run. */
  private final Map<Long, LocalSession> sessions = new ConcurrentSkipListMap<>();

  private final Map<Long, LocalNativeSession> nativeSessions = new ConcurrentSkipListMap<>();
  private final AtomicLong lastSessionId = new AtomicLong();
  private final AtomicLong lastNativeSessionId = new AtomicLong();
  private final AtomicBoolean open = new AtomicBoolean(true);
  private volatile boolean abandoned;
  private volatile DatabaseHolder place = new DatabaseHolder(this);

  /**
   * A database on an engine that works.
   *
   * @param epoch in which this process has the pool; 0 if the pool ends with the process
   */
  LocalDatabase(DatabaseOptions options, Engine engine, Catalog catalog, long epoch) {
    this.epoch = epoch;
    this.options = options;
    this.engine = engine;
    this.catalog = catalog;
    StatementPlanner planner = new StatementPlanner();
    this.planCache =
        new PlanCache(catalog, new StatementCompiler(planner), options.planCacheSize());
    this.stores = new StoreBuilder(engine);
    this.schemaChanges =
        new SchemaChanges(
            catalog,
            stores,
            new ExclusiveMetadataLocks(this::passes),
            new MaintenanceQueries(engine, planner),
            options.versions());
    new SystemViews(this).addTo(catalog);
    this.growth = new PlanInvalidator(engine, catalog, planCache);
    growth.start();
  }

  private java.util.Iterator<HeldMetadataLocks> passes() {
    return Stream.concat(
            sessions.values().stream().map(LocalSession::metadataLocks),
            nativeSessions.values().stream().map(LocalNativeSession::metadataLocks))
        .iterator();
  }

  Engine engine() {
    return engine;
  }

  Catalog catalogOfPool() {
    return catalog;
  }

  long catalogVersion() {
    return catalog.state().version();
  }

  PlanCache planCache() {
    return planCache;
  }

  SchemaChanges schemaChanges() {
    return schemaChanges;
  }

  PlanInvalidator growth() {
    return growth;
  }

  List<LocalSession> sessions() {
    return new ArrayList<>(sessions.values());
  }

  void checkSchema(String name) {
    if (!catalog.state().hasSchema(name)) {
      throw new NelumboException(
          ErrorCode.NO_SUCH_SCHEMA,
          "Schema '"
              + name
              + "' not found; there are "
              + String.join(", ", catalog.state().schemaNames()));
    }
  }

  void removed(LocalSession session) {
    sessions.remove(session.id());
  }

  void removed(LocalNativeSession session) {
    nativeSessions.remove(session.id());
  }

  @Override
  public DatabaseOptions options() {
    return options;
  }

  @Override
  public Session connect(SessionOptions sessionOptions) {
    checkOpen();
    checkSchema(sessionOptions.schema());
    LocalSession session = new LocalSession(this, lastSessionId.incrementAndGet(), sessionOptions);
    sessions.put(session.id(), session);
    if (!open.get()) {
      session.abort();
      throw new NelumboException(ErrorCode.CONNECTION_CLOSED, "the database has been shut down");
    }
    return session;
  }

  private void checkOpen() {
    if (!open.get()) {
      throw new NelumboException(ErrorCode.CONNECTION_CLOSED, "the database has been shut down");
    }
  }

  @Override
  public NativeSession openNative() {
    checkOpen();
    LocalNativeSession session =
        new LocalNativeSession(this, lastNativeSessionId.incrementAndGet());
    nativeSessions.put(session.id(), session);
    return session;
  }

  @Override
  public CatalogReader catalog() {
    return CatalogSnapshots.of(catalog.state());
  }

  @Override
  public DatabaseStatistics statistics() {
    return StatisticsReader.read(this, nativeSessions.size());
  }

  @Override
  public Supplier<DatabaseStatistics> place() {
    return place;
  }

  void moveTo(DatabaseHolder newPlace) {
    place = newPlace;
  }

  @Override
  public boolean isOpen() {
    return open.get();
  }

  /** Checks that the pool has that name, or none; 08001 if not. */
  public void checkPoolName(String wanted) {
    try {
      PoolName.check(engine.fabric(), wanted);
    } catch (PoolOpenException | FabricException e) {
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    }
  }

  /**
   * Whether the pool can still be reached. Once it cannot, this database is of no use any more and
   * lets go of what it has; another may be opened when the memory nodes are back.
   */
  public boolean isReachable() {
    if (!engine.fabric().isRemote()) {
      return true;
    }
    try {
      PoolOwner.hasLeft(engine.fabric());
      return true;
    } catch (FabricException e) {
      if (open.compareAndSet(true, false)) {
        growth.close();
        engine.close();
        place.closed(this);
      }
      return false;
    }
  }

  /**
   * Leaves the pool in order if it outlives the process and no session is open: for the end of the
   * process.
   *
   * @return false if a session is open; who asks may do so again
   */
  public boolean closeIfIdle() {
    boolean isOver = epoch == 0 || !open.get();
    boolean isIdle = sessions.isEmpty() && nativeSessions.isEmpty();
    if (!isOver && isIdle) {
      close();
    }
    return isOver || isIdle;
  }

  /** What who attaches next finds; the last word says that all of it is there. */
  private void leave() {
    long inventory = epoch == 0 ? PoolAddress.NULL : engine.writeFreeSpaceMap(epoch);
    PoolOwner.leave(engine.fabric());
    if (inventory != PoolAddress.NULL) {
      FreeSpaceMapWriter.publish(engine.fabric(), inventory);
    }
  }

  @Override
  public void abandon() {
    if (open.compareAndSet(true, false)) {
      abandoned = true;
      sessions().forEach(LocalSession::abandon);
      growth.close();
      stores.abandon();
      catalog.abandon();
      engine.close();
      place.closed(this);
    }
  }

  /** Whether the memory must not be touched any more. */
  boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public List<String> places() {
    Fabric fabric = engine.fabric();
    List<String> places = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (!fabric.nodeName(node).isEmpty()) {
        places.add(fabric.nodeName(node));
      }
    }
    return places;
  }

  @Override
  public void close() {
    if (!open.compareAndSet(true, false)) {
      return;
    }
    sessions().forEach(LocalSession::abort);
    catalog.changeLock().lock();
    try {
      closeParts();
    } finally {
      catalog.changeLock().unlock();
      place.closed(this);
    }
  }

  /** Lets go of the pool even if it cannot be reached any more. */
  private void closeParts() {
    try {
      growth.close();
      stores.close();
      catalog.close();
      leave();
    } finally {
      engine.close();
    }
  }
}
