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
 * Follows what other compute nodes that share the pool do to its schema: reads the catalogue anew
 * when it has changed, keeps transactions from the tables that are being changed, and tells the
 * others when that is done. A thread does it; or a schema change of this compute node, as it
 * begins.
 */
public final class CatalogFollower implements SharedTables, AutoCloseable {
  private static final long IDLE_NANOS = 100_000_000L;

  private final Engine engine;
  private final Environment environment;
  private final Catalog catalog;
  private final SchemaAgreement agreement;
  private final Iterable<HeldMetadataLocks> sessions;
  private final BackgroundThread thread;

  /** Held while somebody works on all tables, whatever becomes of them. */
  private final ReentrantLock tablesInUse = new ReentrantLock();

  /** Locks that are kept closed for others, by table; guarded by the catalogue's change lock. */
  private final Map<Integer, MetadataLock> closed = new HashMap<>();

  /** Version of the schema that was read; written under the change lock. */
  private volatile long loaded;

  /** What the others were told of; as above. */
  private volatile long settled;

  /**
   * Follows from a version on.
   *
   * @param sessions what all sessions hold, those that come later included
   * @param loaded the version that was agreed on before the catalogue was read
   */
  public CatalogFollower(
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
   * Begins; no session is open yet, or nobody shares the pool yet. What is locked just then is
   * closed when this returns, unless the engine has stopped: whoever has locked it did so before
   * this compute node was there, and does not wait for it.
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

  /** Nobody waits any more for who cannot follow: it stops. */
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
   * Does what is agreed on. The caller has the change lock.
   *
   * @return whether all of it is done, and the others know
   */
  boolean follow(SchemaState state) {
    catalog.skipIds(state.nextId());
    if (state.version() > loaded) {
      catalog.reload();
      awaitUsers();
      engine.caches().cvts().forgetAll(); // rows of tables that are not there any more
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

  /** Waits for who works on tables that may not be there any more. */
  void awaitUsers() {
    use(0, _ -> {});
  }

  /** Opens the tables that are kept closed no longer. */
  private void letIn(SchemaState state) {
    Set<Integer> kept = new HashSet<>(state.locked());
    kept.addAll(state.drained());
    closed.entrySet().stream()
        .filter(each -> !kept.contains(each.getKey()))
        .forEach(each -> each.getValue().unlock());
    closed.keySet().retainAll(kept);
  }

  /** Closes tables in some way; whether no session has one of them. */
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

  /** The schema of this version is what this compute node has made itself. */
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

  /** The engine has stopped: nothing is followed any more. */
  public void stop() {
    thread.stop();
  }

  /** Follows no longer: no session is open, and this compute node is about to leave. */
  @Override
  public void close() {
    thread.stop();
    thread.join();
  }
}
