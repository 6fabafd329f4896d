package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.cluster.SchemaAgreement;
import org.nelumbo.executor.cluster.SchemaState;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The lease of this compute node on schema changes of a shared pool. While it is held, no other
 * compute node changes the schema, and no transaction of any compute node uses a locked table. The
 * calls are:
 *
 * <pre>
 *   begin ( lock change unlock )* end awaitReloads
 * </pre>
 *
 * <p>Not thread-safe.
 */
public final class SchemaChangeLease {
  private final Environment environment;
  private final Catalog catalog;
  private final CatalogWatcher watcher;
  private final SchemaAgreement agreement;
  private final CancellationToken stop;
  private final List<Integer> locked = new ArrayList<>();
  private long changesThen;

  /**
   * Creates the lease without acquiring it.
   *
   * @param stop ends waiting when it is set
   */
  public SchemaChangeLease(
      Environment environment, Catalog catalog, CatalogWatcher watcher, CancellationToken stop) {
    this.environment = environment;
    this.catalog = catalog;
    this.watcher = watcher;
    this.agreement = watcher.agreement();
    this.stop = stop;
  }

  /**
   * Waits until this compute node has the lease; returns false if it has to stop. At most one
   * thread waits at a time.
   */
  public boolean await() {
    for (int attempt = 0; ; attempt++) {
      SchemaState state = agreement.state();
      boolean isFree = state.changer() == null || agreement.self().equals(state.changer());
      if (isFree && agreement.self().equals(agreement.begin().changer())) {
        return true;
      }
      if (stop.isSet()) {
        return false;
      }
      environment.backoff(attempt);
    }
  }

  /** Applies the earlier changes of other compute nodes. The caller has the change lock. */
  public void begin() {
    watcher.follow(agreement.state());
    changesThen = catalog.changes();
  }

  /**
   * Waits until no transaction of any compute node uses a table, and keeps it locked. If a
   * transaction of another compute node blocks this for long, local transactions on which it may
   * depend are admitted meanwhile, as in {@link MetadataLock}.
   *
   * @return false on timeout; then the table is not locked
   */
  public boolean lock(TableEntry table, long timeoutNanos) {
    boolean isLocked = false;
    try {
      isLocked = drainAndClose(table, deadline(timeoutNanos));
    } finally {
      if (!isLocked) {
        table.metadataLock().unlock();
        agreement.change(state -> state.keeping(locked, List.of()));
      }
    }
    if (isLocked) {
      locked.add(table.id());
    }
    return isLocked;
  }

  private long deadline(long timeoutNanos) {
    long now = environment.nanoTime();
    return timeoutNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + timeoutNanos;
  }

  private boolean drainAndClose(TableEntry table, long deadline) {
    List<Integer> wanted = new ArrayList<>(locked);
    wanted.add(table.id());
    MetadataLock lock = table.metadataLock();
    while (true) {
      lock.drain();
      if (!awaitFree(lock, deadline)) {
        return false;
      }
      lock.close();
      if (lock.isFree(watcher.sessions())) {
        agreement.change(state -> state.keeping(wanted, List.of()));
        long patience = environment.nanoTime() + MetadataLock.PATIENCE_NANOS;
        if (awaitAll(Math.min(patience, deadline))) {
          return true;
        }
        lock.drain();
        agreement.change(state -> state.keeping(locked, List.of(table.id())));
        if (!awaitAll(deadline)) {
          return false;
        }
      }
    }
  }

  private boolean awaitFree(MetadataLock lock, long deadline) {
    for (int attempt = 0; !lock.isFree(watcher.sessions()); attempt++) {
      if (environment.nanoTime() > deadline || stop.isSet()) {
        return false;
      }
      environment.backoff(attempt);
    }
    return true;
  }

  private boolean awaitAll(long deadline) {
    while (!agreement.isSettledByAll()) {
      if (environment.nanoTime() > deadline || stop.isSet()) {
        return false;
      }
      environment.parkNanos(agreement.pollNanos() / 2);
    }
    return true;
  }

  /** Unlocks a table. Each compute node uses it again once it has read the changed catalog. */
  public void unlock(TableEntry table) {
    locked.remove((Integer) table.id());
    publish(state -> state.keeping(locked, List.of()));
    table.metadataLock().unlock();
  }

  private void publish(UnaryOperator<SchemaState> change) {
    boolean hasChanged = catalog.changes() != changesThen;
    changesThen = catalog.changes();
    SchemaState next =
        agreement.change(state -> change.apply(hasChanged ? state.changed() : state));
    watcher.noteChanged(next.version());
  }

  /** Releases the lease before {@link #begin}, without a change. */
  public void giveUp() {
    agreement.change(state -> state.ended(0));
  }

  /** Releases the lease. The caller has the change lock. */
  public void end() {
    publish(state -> state.ended(catalog.nextId()));
  }

  /**
   * Waits until all other compute nodes have read the changes, so that dropped objects are not in
   * use.
   *
   * @return false on timeout
   */
  public boolean awaitReloads(long timeoutNanos) {
    boolean isKnown = awaitAll(deadline(timeoutNanos));
    watcher.awaitUsers();
    return isKnown;
  }

  /** Returns true if dropped objects may be inconsistent because a compute node has failed. */
  public boolean hasLostAnybody() {
    return agreement.hasLostAnybody();
  }
}
