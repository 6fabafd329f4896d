package org.nelumbo.session;

import java.time.Duration;
import org.nelumbo.error.NelumboException;

/**
 * One connection to a database: its current transaction, its settings, its statements. Threads may
 * share a session, each with executions of its own: their statements run one after the other, and
 * in auto-commit mode none of them notices. {@link #cancel} and {@link #abort} do not wait.
 *
 * <p>A transaction begins with the first statement that needs one, and ends with {@link #commit},
 * {@link #rollback} or DDL (which commits). While one is in progress, isolation and read-only
 * cannot be changed (25001). START TRANSACTION switches auto-commit off until that transaction
 * ends.
 *
 * <p>A statement that fails takes back its own effects, and the transaction goes on. Errors that
 * {@linkplain org.nelumbo.error.ErrorCode#endsTransaction end the transaction}, such as 40001 and
 * 57014, roll back all of it at once. Outside auto-commit mode the session remembers that: until
 * {@link #rollback}, statements are refused with 25P02, and {@link #commit} throws the error again
 * and ends the transaction. So half a transaction is never committed by accident.
 */
public interface Session extends AutoCloseable {
  /** Identifies the session in SYS.TRANSACTIONS and messages. */
  long id();

  /**
   * Parses and plans a statement, or finds it in the plan cache. Never runs anything and does not
   * begin a transaction.
   */
  PreparedStatementPlan prepare(String sql);

  /**
   * Prepares as {@link #prepare(String)} does, as the beginning of a statement that is run at once:
   * its time limit and requests to stop it count from here.
   *
   * @param timeoutNanos longest time for planning and running; 0: the session's default
   * @param owner whoever runs the statement, see {@link #cancel(Object)}; may be null
   */
  PreparedStatementPlan prepare(String sql, long timeoutNanos, Object owner);

  /** Something to run a plan with; cheap, executions that were closed are used again. */
  StatementExecution newExecution(PreparedStatementPlan plan);

  /**
   * Returns a new execution of a plan for a statement, which may have to wait for the statement of
   * another thread.
   *
   * @param timeoutNanos the longest wait; 0: the session's query timeout
   * @param owner what {@link #cancel(Object)} names the statement by
   */
  StatementExecution newExecution(PreparedStatementPlan plan, long timeoutNanos, Object owner);

  /** Whether each statement is its own transaction; not in one that START TRANSACTION began. */
  boolean autoCommit();

  /** Switching auto-commit on commits a transaction in progress. */
  void setAutoCommit(boolean on);

  /** Whether a transaction is in progress. */
  boolean inTransaction();

  /**
   * Begins a transaction of several statements, as START TRANSACTION does: auto-commit is off until
   * it ends. Results that are being read in auto-commit mode are kept in memory. 25001 if a
   * transaction is in progress.
   */
  void startTransaction();

  /**
   * Ends the transaction because of an error met outside of a statement, such as one in what its
   * user does with rows: it is rolled back, and remembered as failed outside auto-commit mode. Does
   * nothing in a session that is closed.
   */
  void fail(NelumboException error);

  /**
   * Commits; open results are closed. Does nothing without a transaction. 40001 if the transaction
   * could not be committed (it is then rolled back).
   */
  void commit();

  /** Rolls back; open results are closed. Does nothing without a transaction. */
  void rollback();

  /** Sets a savepoint, beginning a transaction if there is none. */
  Savepoint setSavepoint(String nameOrNull);

  /**
   * Takes back what was written since; locks stay. 3B001 if the savepoint is not one of the current
   * transaction. The savepoint itself remains.
   */
  void rollbackTo(Savepoint savepoint);

  /**
   * Forgets a savepoint and those set after it. 3B001 if it is not one of the current transaction.
   */
  void release(Savepoint savepoint);

  Isolation isolation();

  void setIsolation(Isolation isolation);

  boolean readOnly();

  /** Read-only transactions read a snapshot, take no locks and refuse writes (25006). */
  void setReadOnly(boolean readOnly);

  String schema();

  /** Changes what unqualified names mean; 3F000 if there is no such schema. */
  void setSchema(String schema);

  void setQueryTimeout(Duration timeout);

  Duration lockTimeout();

  void setLockTimeout(Duration timeout);

  /** Whether the session and its database are open. Cheap, disturbs nothing. */
  boolean isValid();

  /** Makes a statement in progress stop with 57014; any thread. */
  void cancel();

  /** Makes the statement in progress stop with 57014 if an owner runs it; any thread. */
  void cancel(Object owner);

  /** Keeps other threads out until {@link #unlock}, which the same thread has to call. */
  void lock();

  void unlock();

  /**
   * Ends the session from any thread: a statement in progress is stopped, and the transaction
   * rolled back as soon as it has.
   */
  void abort();

  /** Rolls back a transaction in progress and gives back everything the session holds. */
  @Override
  void close();
}
