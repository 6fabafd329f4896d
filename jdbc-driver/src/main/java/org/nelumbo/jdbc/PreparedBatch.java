package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.expr.ParameterSet;
import org.nelumbo.planner.Session;

/**
 * Runs a prepared statement for the rows of parameters that were added to a batch, in order, up to
 * the first that fails.
 *
 * <p>In auto-commit mode, too, some hundred rows at a time are one transaction, which costs as few
 * round trips as in a transaction of the user's. That looks like rows that are committed one by
 * one, but for their appearing together: the rows before one that fails are committed, results that
 * are being read stay open, and if the transaction loses against another one, its rows are run
 * again, each by itself and as often as a statement in auto-commit mode is. Only what ends the
 * transaction for good (a cancellation, a time limit) takes back the rows of its group; the update
 * counts say so.
 */
final class PreparedBatch {
  /** Rows until others are announced, if the engine wanted to hear of fewer. */
  private static final int ANTICIPATED_ROWS = 32;

  /** How many rows are inserted at once, and how many are a transaction in auto-commit mode. */
  private static final int GROUP_ROWS = 256;

  private final StatementRun statement;
  private final ParameterSet parameters;
  private final ParameterSet userValues;
  private final ParameterBatch rows = new ParameterBatch();
  private long[] counts;
  private KeptKeys kept;

  /** The row that is run. */
  private int present;

  /** The row before which further ones are announced. */
  private int announceAt;

  PreparedBatch(StatementRun statement) {
    this.statement = statement;
    this.parameters = statement.execution().parameters();
    this.userValues = new ParameterSet(parameters.size());
  }

  ParameterBatch rows() {
    return rows;
  }

  /**
   * Runs all rows; their update counts. The parameters have the user's values again afterwards.
   *
   * @param keys where to keep generated keys; null if nobody asks for them
   * @throws java.sql.BatchUpdateException if a row fails, with the counts of those that were done
   */
  long[] run(KeptKeys keys) throws SQLException {
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

  /** Runs rows in the user's transaction, or in auto-commit mode each in its own. */
  private void runPlainly(int from, int to) throws SQLException {
    try {
      runGroup(from, to);
    } catch (SQLException e) {
      throw BatchRun.failure(e, present, Arrays.copyOf(counts, present));
    }
  }

  /**
   * Runs rows as one transaction; false if it could not be committed, as a rule because it lost
   * against another one: nothing was done.
   */
  private boolean runAsTransaction(int from, int to) throws SQLException {
    ParameterBatch.Place start = rows.place();
    int keysBefore = kept == null ? 0 : kept.size();
    start(from);
    SQLException failure = null;
    boolean committed = false;
    statement.connection().beginBatchTransaction();
    try {
      failure = tryGroup(from, to);
      if (failure == null || !Errors.code(failure).endsTransaction()) {
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
      int row = Math.min(present, to - 1);
      throw BatchRun.failure(failure, row, Arrays.copyOf(counts, committed ? row : from));
    }
    rows.back(start);
    if (kept != null) {
      kept.truncate(keysBefore);
    }
    return false;
  }

  /** Whether it makes no sense to run the transaction's statements again either. */
  private static boolean endsForGood(SQLException failure) {
    ErrorCode code = Errors.code(failure);
    return code.endsTransaction() && !code.isRetryable();
  }

  private void start(int from) throws SQLException {
    try {
      statement.inSession(Session::startTransaction);
    } catch (SQLException e) {
      throw BatchRun.failure(e, from, Arrays.copyOf(counts, from));
    }
  }

  /** The failure of the row at which it stopped, null if there is none. */
  private SQLException tryGroup(int from, int to) {
    try {
      runGroup(from, to);
      return null;
    } catch (SQLException e) {
      return e;
    }
  }

  /** Also after a failure of the session itself, which has nothing to roll back then. */
  private void rollback() {
    try {
      statement.inSession(Session::rollback);
    } catch (SQLException e) {
      // the session has ended, and its transaction with it
    }
  }

  /** Runs rows in the transaction there is, or each by itself; {@link #present} tells how far. */
  private void runGroup(int from, int to) throws SQLException {
    present = from;
    if (kept == null && to - from > 1 && insertTogether(from, to)) {
      return;
    }
    announceAt = counts.length > 1 ? from : counts.length;
    for (; present < to; present++) {
      counts[present] = runRow(present == from, to - present);
    }
  }

  /**
   * Inserts rows at once if that is what the statement does. False if nothing was done, also if one
   * of them failed: they are to be run one by one, to find the one that does.
   */
  private boolean insertTogether(int from, int to) throws SQLException {
    ParameterBatch.Place start = rows.place();
    boolean inserted = false;
    try {
      inserted = statement.insertMany(to - from, row -> rows.setRow(parameters));
    } catch (SQLException e) {
      if (Errors.code(e).endsTransaction()) {
        throw e;
      }
    }
    if (inserted) {
      Arrays.fill(counts, from, to, 1);
    } else {
      rows.back(start);
    }
    return inserted;
  }

  /** Some rows at a time are announced; the first runs by itself if it begins the transaction. */
  private long runRow(boolean first, int rowsLeft) throws SQLException {
    if (present == announceAt) {
      int announced = rows.anticipate(statement.execution(), rowsLeft);
      announceAt += announced == 1 && first ? 1 : Math.max(ANTICIPATED_ROWS, announced);
    }
    rows.setRow(parameters);
    statement.run();
    if (kept != null) {
      kept.add(statement.execution());
    }
    return statement.updateCount();
  }
}
