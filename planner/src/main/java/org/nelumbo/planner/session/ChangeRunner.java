package org.nelumbo.planner.session;

import java.util.function.IntConsumer;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * Runs a session's INSERT, UPDATE and DELETE. In auto-commit mode one that loses against another
 * transaction is run again, as long as it could have waited for a lock.
 */
final class ChangeRunner {
  private final LocalDatabase database;
  private final Environment environment;
  private final SessionMutex sessionMutex;
  private final StatementFrame frame;
  private final SessionTransaction control;
  private final TransactionModes modes;
  private volatile boolean retrying;

  ChangeRunner(
      LocalDatabase database,
      SessionMutex sessionMutex,
      StatementFrame frame,
      SessionTransaction control,
      TransactionModes modes) {
    this.database = database;
    this.environment = database.engine().environment();
    this.sessionMutex = sessionMutex;
    this.frame = frame;
    this.control = control;
    this.modes = modes;
  }

  /** Whether a change that lost is about to be run again; any thread. */
  boolean isRetrying() {
    return retrying;
  }

  /** Runs a change; the number of rows. The caller is inside the guard. */
  long run(LocalExecution execution) {
    frame.arm(execution);
    try {
      return runOnce(execution);
    } catch (NelumboException e) {
      if (!mayRunAgain(e)) {
        throw e;
      }
      retrying = true;
      try {
        return runAgain(execution, e);
      } finally {
        retrying = false;
      }
    }
  }

  private boolean mayRunAgain(NelumboException e) {
    return modes.autoCommit() && e.code().isRetryable() && control.waits();
  }

  /** The runs after the first; a request to stop and the time limit are those of the first. */
  private long runAgain(LocalExecution execution, NelumboException first) {
    Transaction transaction = frame.transaction();
    long start = environment.nanoTime();
    NelumboException last = first;
    for (int attempt = 0; environment.nanoTime() - start < control.lockTimeoutNanos(); attempt++) {
      environment.backoff(attempt);
      if (transaction.cancellation().isSet()) {
        throw transaction.failure(Outcome.CANCELLED);
      }
      try {
        return runOnce(execution);
      } catch (NelumboException e) {
        if (!mayRunAgain(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw last;
  }

  private long runOnce(LocalExecution execution) {
    execution.clearKeys();
    frame.begin(execution, false);
    frame.prefetchHints().fetch();
    Transaction transaction = frame.transaction();
    long mark = transaction.savepoint();
    boolean done = false;
    try {
      int status = frame.prefetchHints().begin();
      if (status != Outcome.OK) {
        throw transaction.failure(status);
      }
      long count =
          execution.keepsKeys()
              ? execution.insertKeepingKeys()
              : execution.execution().executeUpdate(transaction);
      done = true;
      frame.prefetchHints().end(true);
      frame.end(true);
      return count;
    } catch (NelumboException e) {
      done = true;
      frame.prefetchHints().end(false);
      throw frame.failed(e, true, mark);
    } finally {
      if (!done) {
        frame.prefetchHints().end(false);
        frame.failedInside(true, mark);
      }
    }
  }

  /**
   * Runs an INSERT of one row for many rows of parameters, as one statement. The caller is inside
   * the guard.
   *
   * @return false if each row is to be run on its own: nothing was inserted
   */
  boolean insertMany(LocalExecution execution, int rows, IntConsumer setRow) {
    if (modes.autoCommit()) {
      return false;
    }
    frame.arm(execution);
    execution.clearKeys();
    frame.begin(execution, false);
    Transaction transaction = frame.transaction();
    long mark = transaction.savepoint();
    boolean done = false;
    try {
      boolean possible = execution.execution().canInsertMany();
      if (possible) {
        execution.execution().insertMany(transaction, rows, setRow);
      }
      done = true;
      frame.end(true);
      return possible;
    } catch (NelumboException e) {
      done = true;
      throw frame.failed(e, true, mark);
    } finally {
      if (!done) {
        frame.failedInside(true, mark);
      }
    }
  }

  /**
   * Hints what is to come. Only within a transaction that goes on: none is begun, and nothing is
   * waited for, for a hint.
   *
   * @return whether more hints are of use
   */
  boolean anticipate(LocalExecution execution) {
    sessionMutex.enter();
    try {
      CachedStatement cachedStatement = execution.cachedStatement();
      PrefetchHints prefetchHints = frame.prefetchHints();
      boolean useful =
          !modes.autoCommit()
              && cachedStatement.isGoodFor(database.catalogVersion())
              && control.tryEnter(cachedStatement.tables());
      if (useful) {
        execution.execution().collectHints(prefetchHints);
        prefetchHints.endStatement();
      }
      return useful && !prefetchHints.isFull();
    } finally {
      sessionMutex.exit();
    }
  }
}
