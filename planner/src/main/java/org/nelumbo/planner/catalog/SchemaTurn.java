package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.cluster.SchemaAgreement;
import org.nelumbo.executor.cluster.SchemaState;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The turn of this compute node to change the schema of a pool that others share. Nobody else
 * changes it meanwhile, and no transaction anywhere uses a table that is locked:
 *
 * <pre>
 *   begin ( lock change unlock )* end awaitReloads
 * </pre>
 *
 * <p>One thread at a time.
 */
public final class SchemaTurn {
  private final Environment environment;
  private final Catalog catalog;
  private final CatalogFollower follower;
  private final SchemaAgreement agreement;
  private final CancellationToken stop;
  private final List<Integer> locked = new ArrayList<>();
  private long changesThen;

  /**
   * A turn to come.
   *
   * @param stop ends waiting when it is set
   */
  public SchemaTurn(
      Environment environment, Catalog catalog, CatalogFollower follower, CancellationToken stop) {
    this.environment = environment;
    this.catalog = catalog;
    this.follower = follower;
    this.agreement = follower.agreement();
    this.stop = stop;
  }

  /**
   * Waits until it is this one's turn; false if it has to stop. Another thread may not wait, too.
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

  /** Knows from here on what others have changed before. The caller has the change lock. */
  public void begin() {
    follower.follow(agreement.state());
    changesThen = catalog.changes();
  }

  /**
   * Waits until no transaction anywhere uses a table, and keeps it so. Where somebody is in the way
   * elsewhere for long, those may come in here that it may be waiting for, as in {@link
   * MetadataLock}.
   *
   * @return false if there was not enough time; then nothing is locked
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
      if (lock.isFree(follower.sessions())) {
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
    for (int attempt = 0; !lock.isFree(follower.sessions()); attempt++) {
      if (environment.nanoTime() > deadline || stop.isSet()) {
        return false;
      }
      environment.backoff(attempt);
    }
    return true;
  }

  /** Waits until all others have settled what was asked of them. */
  private boolean awaitAll(long deadline) {
    while (!agreement.isSettledByAll()) {
      if (environment.nanoTime() > deadline || stop.isSet()) {
        return false;
      }
      environment.parkNanos(agreement.pollNanos() / 2);
    }
    return true;
  }

  /** A table may be used again by who knows what has become of it. */
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
    follower.noteChanged(next.version());
  }

  /** It is nobody's turn any more, and it has not begun. */
  public void giveUp() {
    agreement.change(state -> state.ended(0));
  }

  /** It is nobody's turn any more. The caller has the change lock. */
  public void end() {
    publish(state -> state.ended(catalog.nextId()));
  }

  /**
   * Waits until all others know what was changed. Nobody uses then what was dropped.
   *
   * @return whether they do; if not, there was not enough time
   */
  public boolean awaitReloads(long timeoutNanos) {
    boolean isKnown = awaitAll(deadline(timeoutNanos));
    follower.awaitUsers();
    return isKnown;
  }

  /** Whether what was dropped may be in disorder, since a compute node has died. */
  public boolean hasLostAnybody() {
    return agreement.hasLostAnybody();
  }
}
