package org.nelumbo.jdbc.statement;

import java.sql.SQLException;
import java.util.Arrays;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.result.GeneratedKeyRows;
import org.nelumbo.jdbc.value.ParameterBatch;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.Session;
import org.nelumbo.types.ParameterSet;

/**
 * Batch of a prepared statement: runs it for the added rows of parameters in order, up to the first
 * one that fails.
 *
 * <p>In auto-commit mode, too, a group of rows runs as one transaction, which needs as few round
 * trips as a user's transaction. For the user this is equivalent to committing the rows one by one,
 * except that they become visible together:
 *
 * <ul>
 *   <li>The rows before a failing one are committed.
 *   <li>Results that are being read stay open.
 *   <li>If the transaction loses a conflict, its rows run again one by one, each with as many
 *       retries as a statement in auto-commit mode.
 *   <li>Only an error that ends the transaction for good (a cancellation, a timeout) undoes the
 *       rows of its group; the update counts reflect that.
 * </ul>
 */
final class PreparedBatch {
  /** Minimum number of rows between two rounds of hints. */
  private static final int HINT_INTERVAL_ROWS = 32;

  /** Number of rows that are inserted together, and that form a transaction in auto-commit mode. */
  private static final int GROUP_ROWS = 256;

  private final StatementCore statement;
  private final ParameterSet parameters;
  private final ParameterSet userValues;
  private final ParameterBatch rows = new ParameterBatch();
  private long[] counts;
  private GeneratedKeyRows kept;

  private int current;

  /** Index of the row before which the engine gets the next hints. */
  private int hintAt;

  PreparedBatch(StatementCore statement) {
    this.statement = statement;
    this.parameters = statement.execution().parameters();
    this.userValues = new ParameterSet(parameters.size());
  }

  ParameterBatch rows() {
    return rows;
  }

  /**
   * Runs all rows and returns their update counts. Afterwards the parameters have the user's values
   * again.
   *
   * @param keys receives the generated keys; null if none are requested
   * @throws java.sql.BatchUpdateException if a row fails, with the counts of the completed rows
   */
  long[] run(GeneratedKeyRows keys) throws SQLException {
    counts = new long[rows.rows()];
    kept = keys;
    rows.rewind();
    userValues.copyFrom(parameters);
    try {
      runGroups();
    } finally {
      parameters.copyFrom(userValues);
      userValues.clear();
    }
    return counts;
  }

  private void runGroups() throws SQLException {
    boolean together =
        statement.execution().plan().kind().changesRows()
            && statement.connection().session().autoCommit();
    for (int from = 0; from < counts.length; from += GROUP_ROWS) {
      int to = Math.min(counts.length, from + GROUP_ROWS);
      if (!together || to - from == 1 || !runAsTransaction(from, to)) {
        runPlainly(from, to);
      }
    }
  }

  private void runPlainly(int from, int to) throws SQLException {
    try {
      runGroup(from, to);
    } catch (SQLException e) {
      throw BatchUpdates.failure(e, current, Arrays.copyOf(counts, current));
    }
  }

  /**
   * Runs rows as one transaction.
   *
   * @return false if it could not be committed, usually because it lost a conflict; nothing was
   *     changed
   */
  private boolean runAsTransaction(int from, int to) throws SQLException {
    Session session = statement.connection().session();
    statement.inSession(Session::lock); // keeps statements of other threads out of the transaction
    try {
      return runTransaction(from, to);
    } finally {
      session.unlock();
    }
  }

  private boolean runTransaction(int from, int to) throws SQLException {
    ParameterBatch.Position start = rows.position();
    int keysBefore = kept == null ? 0 : kept.size();
    start(from);
    SQLException failure = null;
    boolean committed = false;
    statement.connection().beginBatchTransaction();
    try {
      failure = tryGroup(from, to);
      if (failure == null || !SqlExceptions.code(failure).endsTransaction()) {
        statement.inSession(Session::commit);
        committed = true;
      }
    } catch (SQLException e) {
      failure = e;
    } finally {
      if (!committed) {
        rollback();
      }
      statement.connection().endBatchTransaction();
    }
    if (failure == null) {
      return true;
    }
    if (committed || endsForGood(failure)) {
      int row = Math.min(current, to - 1);
      throw BatchUpdates.failure(failure, row, Arrays.copyOf(counts, committed ? row : from));
    }
    rows.moveTo(start);
    if (kept != null) {
      kept.truncate(keysBefore);
    }
    return false;
  }

  private static boolean endsForGood(SQLException failure) {
    ErrorCode code = SqlExceptions.code(failure);
    return code.endsTransaction() && !code.isRetryable();
  }

  private void start(int from) throws SQLException {
    try {
      statement.inSession(Session::startTransaction);
    } catch (SQLException e) {
      throw BatchUpdates.failure(e, from, Arrays.copyOf(counts, from));
    }
  }

  private SQLException tryGroup(int from, int to) {
    try {
      runGroup(from, to);
      return null;
    } catch (SQLException e) {
      return e;
    }
  }

  private void rollback() {
    try {
      statement.inSession(Session::rollback);
    } catch (SQLException e) {
      // The session has ended, and its transaction with it.
    }
  }

  private void runGroup(int from, int to) throws SQLException {
    current = from;
    if (kept == null && to - from > 1 && insertTogether(from, to)) {
      return;
    }
    hintAt = counts.length > 1 ? from : counts.length;
    for (; current < to; current++) {
      counts[current] = runRow(current == from, to - current);
    }
  }

  /**
   * Inserts all rows together if the statement is an INSERT of one row.
   *
   * @return false if nothing was inserted, also if one of the rows failed: the caller then runs
   *     them one by one to find the failing row
   */
  private boolean insertTogether(int from, int to) throws SQLException {
    ParameterBatch.Position start = rows.position();
    boolean inserted = false;
    try {
      inserted = statement.insertMany(to - from, row -> rows.setRow(parameters));
    } catch (SQLException e) {
      if (SqlExceptions.code(e).endsTransaction()) {
        throw e;
      }
    }
    if (inserted) {
      Arrays.fill(counts, from, to, 1);
    } else {
      rows.moveTo(start);
    }
    return inserted;
  }

  /**
   * The engine gets hints for several rows at a time. If the first row begins the transaction, the
   * hints start after it.
   */
  private long runRow(boolean first, int rowsLeft) throws SQLException {
    if (current == hintAt) {
      int hinted = rows.hintNextRows(statement.execution(), rowsLeft);
      hintAt += hinted == 1 && first ? 1 : Math.max(HINT_INTERVAL_ROWS, hinted);
    }
    rows.setRow(parameters);
    statement.run();
    if (kept != null) {
      kept.add(statement.execution());
    }
    return statement.updateCount();
  }
}
