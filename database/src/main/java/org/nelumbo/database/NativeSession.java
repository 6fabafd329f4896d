package org.nelumbo.database;

import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.txn.Transaction;

/**
 * The native transaction API (LOTUS section 7.3) on a database: transactions as key operations, on
 * the tables that SQL made, beside SQL sessions. Used by one thread at a time.
 *
 * <p>A {@link Transaction} is begun, given key operations, and committed or aborted, as often as
 * wanted. Conflicts fail at once, as in LOTUS, unless {@link Transaction#setConflictPolicy} says
 * otherwise. SQL's NOT NULL, lengths, ranges and unique indexes are kept; CHECK and FOREIGN KEY
 * constraints and DEFAULT values belong to SQL statements and do not apply.
 *
 * <p>Each table asked for stays as it is until this session is closed: statements that change it
 * (DROP, ALTER, CREATE INDEX) wait meanwhile, and fail with 55P03 after their lock timeout.
 */
public interface NativeSession extends AutoCloseable {
  Database database();

  /** The one transaction object of this session, used again for each transaction. */
  Transaction transaction();

  /**
   * A copy of what this session has asked of the fabric so far: round trips, verbs, bytes; null
   * unless the database was opened to count them ({@link DatabaseOptions#countVerbs}).
   */
  default FabricCounters counters() {
    return coordinator().counters();
  }

  /** The coordinator behind the transaction: its channel and allocator. */
  Coordinator coordinator();

  /**
   * A table of schema PUBLIC; see {@link #table(String, String)}.
   *
   * @throws NelumboException 42S02 if there is no such table
   */
  NativeTable table(String name);

  /**
   * A table by its names, which are those of the catalogue, or in SQL's manner the same in upper
   * case. To be called while no transaction is active.
   *
   * @throws NelumboException 42S02 if there is no such table, 55P03 if it is being changed
   * @throws IllegalStateException if a transaction is active
   */
  NativeTable table(String schema, String name);

  /** Aborts the active transaction, if any, and gives everything back. */
  @Override
  void close();
}
