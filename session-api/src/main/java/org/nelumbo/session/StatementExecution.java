package org.nelumbo.session;

import java.util.List;
import java.util.function.IntConsumer;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/**
 * A statement that can be run repeatedly with parameters; the counterpart of a JDBC statement.
 * Created by {@link Session#newExecution}, and owned by its session. Used by one thread at a time.
 *
 * <p>Errors are thrown as {@link org.nelumbo.error.NelumboException}. After 40001 the transaction
 * has been rolled back; most other errors undo only the changes of the statement, see {@link
 * org.nelumbo.error.ErrorCode#endsTransaction}. In auto-commit mode a statement without a result
 * commits before it returns; a statement with rows commits when they are exhausted or closed.
 */
public interface StatementExecution extends Rows, AutoCloseable {
  /** Returns the current plan. It is another object after the statement had to be planned again. */
  PreparedStatementPlan plan();

  /**
   * Returns the parameters, which hold raw values of the parameters' types. Values stay set until
   * they are replaced, even if the statement is planned again. Running the statement with an unset
   * parameter fails with 07001.
   */
  ParameterSet parameters();

  /**
   * Plans the statement for values of these types; see {@link ParameterInfo#open}. The caller then
   * converts the values that are set to the parameter types of the new plan.
   *
   * @param types type of each parameter; null for a parameter whose type is to be inferred
   */
  void setParameterTypes(List<ColumnType> types);

  /**
   * Sets the time limit of the following executions, in nanoseconds; 0 for the session's query
   * timeout.
   */
  void setTimeoutNanos(long nanos);

  /**
   * Makes the next execution a continuation of the statement begun by {@link
   * Session#prepare(String, long, Object)}: the time limit and the cancellation state of that
   * statement still apply.
   */
  void continueStatement();

  /** Limits the number of rows returned; 0 for no limit. */
  void setMaxRows(long rows);

  /**
   * Runs a statement that returns rows, which {@link #next} then reads. Unread rows of an earlier
   * run are dropped.
   */
  void executeQuery();

  /**
   * Runs a statement that returns no rows.
   *
   * @return number of rows changed; 0 for DDL and similar statements
   */
  long executeUpdate();

  /**
   * Announces that the statement will run with the present parameters, so that the data of several
   * announced executions can be prefetched together. Has no visible effect.
   *
   * @return true if further hints before the next run are useful
   */
  boolean hint();

  /**
   * Runs an INSERT of one row once for each of several parameter sets, in few round trips. Either
   * all rows are inserted, or none if it throws. Requires a transaction of several statements: in
   * auto-commit mode each row would be a transaction of its own.
   *
   * @param rows number of parameter sets
   * @param setRow sets the parameters of a row, numbered from 0; the row numbers passed to it never
   *     decrease
   * @return false if the statement cannot be run this way, in which case nothing was done
   */
  boolean insertMany(int rows, IntConsumer setRow);

  /**
   * Makes INSERTs keep the values of these columns for {@link #generatedKeys}.
   *
   * @param columns positions in {@link PreparedStatementPlan#generatedKeyColumns}; null to keep
   *     nothing
   */
  void keepGeneratedKeys(int[] columns);

  /**
   * Returns the values requested with {@link #keepGeneratedKeys}, one row for each row inserted by
   * the last run. Each call returns a new cursor, which stays valid.
   */
  Rows generatedKeys();

  /** Returns the columns of {@link #generatedKeys}. */
  List<ResultColumn> generatedKeyColumns();

  /** Returns true if a result is open, so that {@link #next} may be called. */
  boolean isOpen();

  /**
   * Closes the result, even if it has unread rows; in auto-commit mode this commits. Does nothing
   * if no result is open.
   */
  void closeRows();

  /**
   * Closes the result as a part of the statement that runs next, so that the call can be cancelled
   * while it waits for a statement of another thread. If it fails, no more rows can be read, but
   * the result still has to be closed: by the next run, or by {@link #close}.
   *
   * @param timeoutNanos maximum wait in nanoseconds; 0 for the session's limit
   */
  void closeRows(long timeoutNanos);

  /** Ends this execution. It must not be used afterwards, since the session reuses its parts. */
  @Override
  void close();
}
