package org.nelumbo.database.check;

import java.util.Collection;
import java.util.List;
import org.nelumbo.dm.pool.CopiesCheck;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.session.Isolation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements CHECK DATABASE and CHECK TABLE: checks the integrity of tables one after the other,
 * each in its own snapshot, and compares the copies of the pool. Only changes of the table that is
 * being checked wait for it. It keeps its defect reports, see {@link Findings}. Thread-safe; each
 * session runs its own check.
 */
public final class DatabaseCheck {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseCheck.class);

  private final Engine engine;
  private final Catalog catalog;
  private final StatementPlanner planner;
  private final Findings findings;

  public DatabaseCheck(
      Engine engine, Catalog catalog, StatementPlanner planner, Findings findings) {
    this.engine = engine;
    this.catalog = catalog;
    this.planner = planner;
    this.findings = findings;
  }

  /**
   * Checks tables in a session; throws XX001 with the first defect if there are any.
   *
   * @param ids ids of the tables; null for all
   * @param transaction transaction of the session, which is not active
   * @param metadataLocks metadata locks of the session, which holds none
   * @param lockTimeoutNanos longest wait for a schema change
   */
  public void run(
      Collection<Integer> ids,
      Transaction transaction,
      HeldMetadataLocks metadataLocks,
      long lockTimeoutNanos) {
    findings.clear();
    List<Integer> wanted =
        ids != null
            ? List.copyOf(ids)
            : catalog.state().tables().stream()
                .filter(table -> !TemporarySchema.isTemporary(table.schemaName()))
                .map(TableEntry::id)
                .toList();
    long rows = 0;
    int done = 0;
    for (int id : wanted) {
      try {
        rows += check(id, transaction, metadataLocks, lockTimeoutNanos);
      } finally {
        transaction.abort();
        metadataLocks.releaseAll();
      }
      LOG.info(
          "checked tables={} of={} rows={} findings={}",
          ++done,
          wanted.size(),
          rows,
          findings.count());
    }
    if (ids == null) {
      compareCopies(transaction);
    }
    if (findings.count() > 0) {
      throw new NelumboException(
          ErrorCode.DATA_CORRUPTED,
          "the check has found problems="
              + findings.count()
              + ": SELECT * FROM SYS.FINDINGS lists them; the first: "
              + findings.list().getFirst());
    }
  }

  private long check(
      int id, Transaction transaction, HeldMetadataLocks metadataLocks, long timeoutNanos) {
    CatalogState state = catalog.state();
    TableEntry table = state.table(id);
    if (table == null) {
      return 0; // dropped meanwhile
    }
    if (table.damage() != null) {
      findings.add(new Finding(table.schemaName(), table.name(), null, null, table.damage()));
      return 0;
    }
    lock(table, transaction, metadataLocks, timeoutNanos);
    for (ForeignKeyDefinition key : table.definition().foreignKeys()) {
      TableEntry parent = state.table(key.referencedTable());
      if (parent != null) {
        lock(parent, transaction, metadataLocks, timeoutNanos);
      }
    }
    CatalogState locked = catalog.state();
    TableEntry now = locked.table(id);
    if (now == null) {
      return 0;
    }
    transaction.begin(Isolation.SNAPSHOT, true);
    for (int attempt = 0; now.since() > transaction.snapshot(); attempt++) {
      transaction.abort(); // it was filled after the snapshot
      engine.environment().backoff(attempt);
      transaction.begin(Isolation.SNAPSHOT, true);
    }
    long rows = new TableCheck(transaction, now, findings).run();
    new ConstraintCheck(engine.environment(), transaction, planner, locked, findings).run(now);
    return rows;
  }

  /** The round of the scrub continues if this check is cancelled. */
  private void compareCopies(Transaction transaction) {
    CopiesCheck copies = engine.fabric().copiesCheck();
    if (copies == null) {
      return;
    }
    copies.begin();
    for (int attempt = 0; copies.status().isRunning(); attempt++) {
      if (transaction.cancellation().isSet()) {
        throw transaction.cancellation().failure();
      }
      engine.checkNotStopped();
      engine.environment().backoff(attempt);
    }
    copies.status().findings().forEach(line -> findings.add(Finding.of(line)));
  }

  private static void lock(
      TableEntry table,
      Transaction transaction,
      HeldMetadataLocks metadataLocks,
      long timeoutNanos) {
    boolean isLocked =
        metadataLocks.acquire(
            table.metadataLock(), timeoutNanos, false, transaction.cancellation());
    if (!isLocked && transaction.cancellation().isSet()) {
      throw transaction.cancellation().failure();
    }
    if (!isLocked) {
      throw new NelumboException(
          ErrorCode.LOCK_NOT_AVAILABLE,
          "table " + table + " is being changed; try again, or set a longer lockTimeout");
    }
  }
}
