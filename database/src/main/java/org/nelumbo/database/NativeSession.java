package org.nelumbo.database;

import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.txn.Transaction;

/**
 * The native transaction API (LOTUS section 7.3) of a database: transactions as key operations on
 * tables that SQL has created, concurrent with SQL sessions. Used by one thread at a time.
 *
 * <p>The caller begins a {@link Transaction}, runs key operations, and commits or aborts it, any
 * number of times. Conflicts fail immediately, as in LOTUS, unless {@link
 * Transaction#setConflictPolicy} selects another policy. NOT NULL, lengths, ranges and unique
 * indexes of SQL are enforced; CHECK and FOREIGN KEY constraints and DEFAULT values belong to SQL
 * statements and do not apply.
 *
 * <p>Each table that was looked up stays unchanged until this session is closed: statements that
 * change it (DROP, ALTER, CREATE INDEX) wait meanwhile, and fail with 55P03 after their lock
 * timeout.
 */
public interface NativeSession extends AutoCloseable {
  Database database();

  /**
   * Returns the single transaction object of this session, which is reused for each transaction.
   */
  Transaction transaction();

  /**
   * Returns a copy of this session's counters of round trips, verbs and bytes, or null unless the
   * database was opened to count them ({@link DatabaseOptions#countVerbs}).
   */
  default FabricCounters counters() {
    return coordinator().counters();
  }

  /** Returns the coordinator of the transaction, with its channel and allocator. */
  Coordinator coordinator();

  /**
   * Returns a table of schema PUBLIC; see {@link #table(String, String)}.
   *
   * @throws NelumboException 42S02 if the table does not exist
   */
  NativeTable table(String name);

  /**
   * Returns a table by its names, either exactly as in the catalog or, as in SQL, in upper case.
   * Must be called while no transaction is active.
   *
   * @throws NelumboException 42S02 if the table does not exist, 55P03 if it is being changed
   * @throws IllegalStateException if a transaction is active
   */
  NativeTable table(String schema, String name);

  /** Aborts the active transaction, if any, and releases all resources. */
  @Override
  void close();
}
