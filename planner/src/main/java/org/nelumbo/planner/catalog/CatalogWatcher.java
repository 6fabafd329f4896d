package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.cluster.SchemaAgreement;
import org.nelumbo.executor.cluster.SchemaState;
import org.nelumbo.executor.cluster.SharedTables;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.TableStore;

/**
 * Applies the schema changes of other compute nodes that share the pool. It reloads the catalog
 * when it has changed, keeps transactions away from tables that are being changed, and acknowledges
 * both to the other compute nodes. This work is done by a background thread, or by a schema change
 * of this compute node when it starts.
 */
public final class CatalogWatcher implements SharedTables, AutoCloseable {
  private static final long IDLE_NANOS = 100_000_000L;

  private final Engine engine;
  private final Environment environment;
  private final Catalog catalog;
  private final SchemaAgreement agreement;
  private final Iterable<HeldMetadataLocks> sessions;
  private final BackgroundThread thread;

  /** Held during work on all tables, even if some of them are dropped meanwhile. */
  private final ReentrantLock tablesInUse = new ReentrantLock();

  /**
   * Metadata locks that are closed for other compute nodes, by table id. Guarded by the catalog's
   * change lock.
   */
  private final Map<Integer, MetadataLock> closed = new HashMap<>();

  /** Schema version that was read last. Written under the change lock. */
  private volatile long loaded;

  /** Serial number that was acknowledged last. Written under the change lock. */
  private volatile long settled;

  /**
   * Creates a watcher that starts at a schema version.
   *
   * @param sessions the metadata locks of all sessions, including sessions that are opened later
   * @param loaded the agreed schema version before the catalog was read
   */
  public CatalogWatcher(
      Engine engine,
      Catalog catalog,
      SchemaAgreement agreement,
      Iterable<HeldMetadataLocks> sessions,
      long loaded) {
    this.engine = engine;
    this.environment = engine.environment();
    this.catalog = catalog;
    this.agreement = agreement;
    this.sessions = sessions;
    this.loaded = loaded;
    this.thread =
        new BackgroundThread(environment, "nelumbo-schema", this::followUntilLost, this::broken);
  }

  /**
   * Applies the current state and starts the background thread. No session is open yet, or no other
   * compute node shares the pool yet.
   *
   * <p>Tables that are locked at this moment are closed when this method returns, unless the engine
   * has stopped: the compute node that locked them did so before this one joined, and does not wait
   * for it.
   */
  public void start() {
    agreement.setListener(thread::wake);
    catalog.changeLock().lock();
    try {
      follow(agreement.state());
    } catch (RuntimeException | Error e) {
      engine.stop(e);
    } finally {
      catalog.changeLock().unlock();
    }
    thread.start();
  }

  SchemaAgreement agreement() {
    return agreement;
  }

  Iterable<HeldMetadataLocks> sessions() {
    return sessions;
  }

  /** Other compute nodes do not wait for a stopped member. */
  private boolean broken(Throwable why) {
    engine.stop(why);
    return false;
  }

  private void followUntilLost() {
    try {
      follow();
    } catch (FabricException e) {
      engine.stop(e);
    }
  }

  private void follow() {
    for (int attempt = 0; !thread.isStopped(); ) {
      if (isUpToDate(agreement.state())) {
        attempt = 0;
        environment.parkNanos(IDLE_NANOS);
      } else {
        tryFollow();
        environment.backoff(attempt++);
      }
    }
  }

  private boolean isUpToDate(SchemaState state) {
    return state.serial() == settled || agreement.self().equals(state.changer());
  }

  private void tryFollow() {
    if (catalog.changeLock().tryLock()) {
      try {
        SchemaState state = agreement.state();
        if (!thread.isStopped() && !isUpToDate(state)) {
          follow(state);
        }
      } finally {
        catalog.changeLock().unlock();
      }
    }
  }

  /**
   * Applies the agreed schema state. The caller has the change lock.
   *
   * @return true if everything is applied and acknowledged
   */
  boolean follow(SchemaState state) {
    catalog.skipIds(state.nextId());
    if (state.version() > loaded) {
      catalog.reload();
      awaitUsers();
      engine.caches().cvts().forgetAll(); // cached CVTs may belong to dropped tables
      loaded = state.version();
    }
    letIn(state);
    boolean isFree = keepOut(state.drained(), MetadataLock::drain);
    isFree &= keepOut(state.locked(), MetadataLock::close);
    if (isFree && settled != state.serial()) {
      agreement.settle(state.serial());
      settled = state.serial();
    }
    return isFree;
  }

  /** Waits for the end of work on tables that may have been dropped. */
  void awaitUsers() {
    use(0, _ -> {});
  }

  private void letIn(SchemaState state) {
    Set<Integer> kept = new HashSet<>(state.locked());
    kept.addAll(state.drained());
    closed.entrySet().stream()
        .filter(each -> !kept.contains(each.getKey()))
        .forEach(each -> each.getValue().unlock());
    closed.keySet().retainAll(kept);
  }

  /** Returns true if no session holds one of the tables. */
  private boolean keepOut(List<Integer> tables, Consumer<MetadataLock> how) {
    boolean isFree = true;
    for (int id : tables) {
      TableEntry table = catalog.state().table(id);
      if (table != null) {
        closed.put(id, table.metadataLock());
        how.accept(table.metadataLock());
        isFree &= table.metadataLock().isFree(sessions);
      }
    }
    return isFree;
  }

  /** Records that this compute node itself has made the schema of this version. */
  void noteChanged(long version) {
    loaded = version;
  }

  @Override
  public List<TableStore> catalogue() {
    return List.of(catalog.ownTable());
  }

  @Override
  public boolean use(long schemaVersion, Consumer<List<TableStore>> work) {
    tablesInUse.lock();
    try {
      if (loaded < schemaVersion) {
        return false;
      }
      List<TableStore> tables = new ArrayList<>(catalogue());
      for (TableEntry each : catalog.state().tables()) {
        if (each.damage() == null) {
          tables.add(each.store());
        }
      }
      work.accept(tables);
      return true;
    } finally {
      tablesInUse.unlock();
    }
  }

  /** Stops following without waiting, because the engine has stopped. */
  public void stop() {
    thread.stop();
  }

  /**
   * Stops following and waits for the thread. No session is open, and this compute node is about to
   * leave the pool.
   */
  @Override
  public void close() {
    thread.stop();
    thread.join();
  }
}
