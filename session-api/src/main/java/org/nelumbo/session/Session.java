package org.nelumbo.session;

import java.time.Duration;
import org.nelumbo.error.NelumboException;

/**
 * A connection to a database, with its current transaction, its settings and its statements.
 * Threads may share a session if each uses executions of its own: the session runs their statements
 * one after the other, and in auto-commit mode the sharing has no visible effect. {@link #cancel}
 * and {@link #abort} do not wait for a running statement.
 *
 * <p>A transaction begins with the first statement that needs one, and ends with {@link #commit},
 * {@link #rollback} or a DDL statement (which commits). While a transaction is in progress, the
 * isolation level and the read-only mode cannot be changed (25001). START TRANSACTION switches
 * auto-commit off until its transaction ends.
 *
 * <p>If a statement fails, its own changes are undone and the transaction continues. Errors that
 * {@linkplain org.nelumbo.error.ErrorCode#endsTransaction end the transaction}, such as 40001 and
 * 57014, roll back the whole transaction at once. Outside auto-commit mode the session then stays
 * in a failed state: until {@link #rollback}, it refuses statements with 25P02, and {@link #commit}
 * throws the error again and ends the transaction. A part of a transaction is therefore never
 * committed by accident.
 */
public interface Session extends AutoCloseable {
  /** Returns the number that identifies the session in SYS.TRANSACTIONS and in messages. */
  long id();

  /**
   * Parses and plans a statement, or finds its plan in the plan cache. Does not run the statement
   * and does not begin a transaction.
   */
  PreparedStatementPlan prepare(String sql);

  /**
   * Prepares a statement that runs immediately afterwards. In contrast to {@link #prepare(String)},
   * the time limit and cancellation of the statement include its planning.
   *
   * @param timeoutNanos time limit for planning and running, in nanoseconds; 0 for the session's
   *     query timeout
   * @param owner key for {@link #cancel(Object)}; may be null
   */
  PreparedStatementPlan prepare(String sql, long timeoutNanos, Object owner);

  /** Returns an execution for a plan. This is cheap: closed executions are reused. */
  StatementExecution newExecution(PreparedStatementPlan plan);

  /**
   * Returns an execution for a plan. Waits while another thread runs a statement of this session.
   *
   * @param timeoutNanos maximum wait in nanoseconds; 0 for the session's query timeout
   * @param owner key for {@link #cancel(Object)}
   */
  StatementExecution newExecution(PreparedStatementPlan plan, long timeoutNanos, Object owner);

  /**
   * Returns true if each statement is its own transaction; false during a transaction begun by
   * START TRANSACTION.
   */
  boolean autoCommit();

  /** Switches auto-commit on or off. Switching it on commits a transaction in progress. */
  void setAutoCommit(boolean on);

  /** Returns true if a transaction is in progress. */
  boolean inTransaction();

  /**
   * Begins a transaction of several statements, as START TRANSACTION does: auto-commit is off until
   * the transaction ends. Results that are being read in auto-commit mode are buffered in memory.
   * Fails with 25001 if a transaction is in progress.
   */
  void startTransaction();

  /**
   * Ends the transaction because of an error outside of a statement, for example in the code that
   * processes its rows. The transaction is rolled back; outside auto-commit mode the session enters
   * the failed state. Does nothing if the session is closed.
   */
  void fail(NelumboException error);

  /**
   * Commits the transaction and closes open results. Does nothing without a transaction. Fails with
   * 40001 if the transaction could not be committed; it is then rolled back.
   */
  void commit();

  /** Rolls back the transaction and closes open results. Does nothing without a transaction. */
  void rollback();

  /**
   * Sets a savepoint. Begins a transaction if none is in progress.
   *
   * @param nameOrNull name of the savepoint, or null for a savepoint without a name
   */
  Savepoint setSavepoint(String nameOrNull);

  /**
   * Undoes all changes made after the savepoint. Locks are kept, and so is the savepoint. Fails
   * with 3B001 if the savepoint does not belong to the current transaction.
   */
  void rollbackTo(Savepoint savepoint);

  /**
   * Removes a savepoint and all savepoints set after it. Fails with 3B001 if the savepoint does not
   * belong to the current transaction.
   */
  void release(Savepoint savepoint);

  /** Returns the isolation level. */
  Isolation isolation();

  /**
   * Sets the isolation level of the following transactions. A change fails with 25001 if a
   * transaction is in progress.
   */
  void setIsolation(Isolation isolation);

  /** Returns true in read-only mode. */
  boolean readOnly();

  /**
   * Sets the read-only mode of the following transactions. A change fails with 25001 if a
   * transaction is in progress. Read-only transactions read a snapshot, take no locks and refuse
   * writes (25006).
   */
  void setReadOnly(boolean readOnly);

  /** Returns the schema of unqualified names. */
  String schema();

  /** Sets the schema of unqualified names. Fails with 3F000 if the schema does not exist. */
  void setSchema(String schema);

  /** Sets the time limit of statements that do not set one; zero means no limit. */
  void setQueryTimeout(Duration timeout);

  /** Returns the maximum wait for a lock. */
  Duration lockTimeout();

  /** Sets the maximum wait for a lock. */
  void setLockTimeout(Duration timeout);

  /**
   * Returns true if the session and its database are open. The check is cheap and does not wait for
   * a running statement.
   */
  boolean isValid();

  /** Cancels the statement in progress, which fails with 57014. May be called by any thread. */
  void cancel();

  /**
   * Cancels the statement in progress, which fails with 57014, if it runs for this owner. May be
   * called by any thread.
   */
  void cancel(Object owner);

  /**
   * Prevents other threads from using the session until the calling thread calls {@link #unlock}.
   */
  void lock();

  /** Ends the exclusive use begun by {@link #lock}. */
  void unlock();

  /**
   * Ends the session. A statement in progress is stopped, and the transaction is rolled back when
   * the statement has stopped. May be called by any thread.
   */
  void abort();

  /** Rolls back a transaction in progress and releases all resources of the session. */
  @Override
  void close();
}
