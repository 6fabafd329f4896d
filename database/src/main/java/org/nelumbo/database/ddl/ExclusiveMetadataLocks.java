package org.nelumbo.database.ddl;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.MetadataLock;
import org.nelumbo.planner.catalog.SchemaChangeLease;
import org.nelumbo.planner.catalog.TableEntry;

/** Runs actions under the exclusive metadata lock of a table. */
public final class ExclusiveMetadataLocks {
  private final Iterable<HeldMetadataLocks> sessions;
  private final CancellationToken stop;

  private final Set<MetadataLock> held = new HashSet<>();

  /** Schema-change lease of this compute node in a shared pool; null if the pool is exclusive. */
  private SchemaChangeLease lease;

  /**
   * Creates exclusive locks.
   *
   * @param sessions metadata locks of all sessions, including sessions that are opened later
   * @param stop set to stop the change in progress
   */
  public ExclusiveMetadataLocks(Iterable<HeldMetadataLocks> sessions, CancellationToken stop) {
    this.sessions = sessions;
    this.stop = stop;
  }

  /** Locks tables on all compute nodes from now on, or only on this one if null. */
  void setLease(SchemaChangeLease leaseOrNull) {
    lease = leaseOrNull;
  }

  /** Returns true if the pool is shared. */
  boolean isShared() {
    return lease != null;
  }

  /** Runs an action with the metadata locks of several tables. */
  void runExclusively(List<TableEntry> tables, long timeoutNanos, Runnable action) {
    if (tables.isEmpty()) {
      action.run();
    } else {
      List<TableEntry> others = tables.subList(1, tables.size());
      runExclusively(
          tables.getFirst(), timeoutNanos, () -> runExclusively(others, timeoutNanos, action));
    }
  }

  /**
   * Runs an action with the table's metadata lock. Throws 55P03 if transactions on the table do not
   * end in time. A change that already holds the lock continues without locking again.
   */
  void runExclusively(TableEntry table, long timeoutNanos, Runnable action) {
    if (held.contains(table.metadataLock())) {
      action.run();
      return;
    }
    if (!lock(table, timeoutNanos)) {
      if (stop.isSet()) {
        throw stop.failure();
      }
      throw new NelumboException(
          ErrorCode.LOCK_NOT_AVAILABLE,
          "table "
              + table
              + " is in use by other transactions, waited "
              + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
              + " ms; end them and try again, or set a longer lockTimeout");
    }
    try {
      held.add(table.metadataLock());
      action.run();
    } finally {
      held.remove(table.metadataLock());
      unlock(table);
    }
  }

  private boolean lock(TableEntry table, long timeoutNanos) {
    return lease == null
        ? table.metadataLock().lockExclusively(sessions, timeoutNanos, stop)
        : lease.lock(table, timeoutNanos);
  }

  private void unlock(TableEntry table) {
    if (lease == null) {
      table.metadataLock().unlock();
    } else {
      lease.unlock(table);
    }
  }
}
