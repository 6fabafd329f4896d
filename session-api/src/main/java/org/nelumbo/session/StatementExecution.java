package org.nelumbo.session;

import java.util.List;
import java.util.function.IntConsumer;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/**
 * One statement being run, again and again, with parameters: what a JDBC statement holds. Made by
 * {@link Session#newExecution}; belongs to its session. One thread at a time uses it.
 *
 * <p>Errors are {@link org.nelumbo.error.NelumboException}. After 40001 the transaction has been
 * rolled back; after other errors only the statement's own changes are taken back. In auto-commit
 * mode a statement without result commits before it returns; one with rows commits when they are
 * exhausted or closed.
 */
public interface StatementExecution extends Rows, AutoCloseable {
  /** The plan being run; another object after the statement had to be planned again. */
  PreparedStatementPlan plan();

  /**
   * The values of the parameters: raw values of the parameters' types. They stay until they are
   * replaced, also when the statement is planned again; running with one that is not set is 07001.
   */
  ParameterSet parameters();

  /**
   * Has the statement planned for values of these types; see {@link ParameterInfo#open}. Whoever
   * calls it converts the values that are set to the types of the new plan's parameters.
   *
   * @param types by parameter; null for those whose type is to be inferred
   */
  void setParameterTypes(List<ColumnType> types);

  /** Longest run of the following executions, nanoseconds; 0: the session's default. */
  void setTimeoutNanos(long nanos);

  /**
   * The next execution goes on with the statement that {@link Session#prepare(String, long,
   * Object)} began: its time limit and requests to stop it hold.
   */
  void continueStatement();

  /** At most so many rows are returned; 0: no limit. */
  void setMaxRows(long rows);

  /**
   * Runs a statement that returns rows; {@link #next} then reads them. Rows left over from an
   * earlier run are dropped.
   */
  void executeQuery();

  /** Runs a statement that returns none; the number of rows changed, 0 for DDL and the like. */
  long executeUpdate();

  /**
   * Hints that this statement is going to be run with the present parameters, among others that are
   * hinted at as well; so that what they need can be brought near all at once. Changes nothing.
   *
   * @return whether further hints before the next run are welcome
   */
  boolean hint();

  /**
   * Runs an INSERT of one row once for each of many rows of parameters, in few round trips: all of
   * them are inserted, or none if it throws. Within a transaction only: in auto-commit mode each
   * row would be one.
   *
   * @param setRow sets the parameters of a row, counted from 0; not called for rows before the last
   *     one it was called for
   * @return false if this statement cannot be run so: nothing was done
   */
  boolean insertMany(int rows, IntConsumer setRow);

  /**
   * Asks that INSERTs keep the values of these columns (positions in {@link
   * PreparedStatementPlan#generatedKeyColumns}) for {@link #generatedKeys}; null: no longer.
   */
  void keepGeneratedKeys(int[] columns);

  /**
   * What {@link #keepGeneratedKeys} asked for, one row for every row inserted by the last run; a
   * fresh cursor that stays valid.
   */
  Rows generatedKeys();

  /** Columns of {@link #generatedKeys}. */
  List<ResultColumn> generatedKeyColumns();

  /** Whether a result is open, so that {@link #next} may be called. */
  boolean isOpen();

  /**
   * Ends reading rows before the last; in auto-commit mode this commits. Does nothing if no result
   * is open.
   */
  void closeRows();

  /**
   * Ends reading rows as a part of the statement that runs next: while it waits for the statement
   * of another thread, it can be cancelled. If it fails, no more rows can be read, but the result
   * has yet to be closed: by the next run, or by {@link #close}.
   *
   * @param timeoutNanos the longest wait; 0: the session's limit
   */
  void closeRows(long timeoutNanos);

  /**
   * Ends this execution; it must not be used afterwards (its parts are used again by the session).
   */
  @Override
  void close();
}
