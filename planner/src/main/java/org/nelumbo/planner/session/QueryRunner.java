package org.nelumbo.planner.session;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.parser.ast.StatementKind.Category;

/** Runs a session's statements that return rows: opens them, gives out rows, closes them. */
final class QueryRunner {
  private final SessionMutex sessionMutex;
  private final StatementFrame frame;
  private final OpenResults results;
  private final Environment environment;

  QueryRunner(SessionMutex sessionMutex, StatementFrame frame, Environment environment) {
    this.sessionMutex = sessionMutex;
    this.frame = frame;
    this.results = frame.results();
    this.environment = environment;
  }

  void open(LocalExecution execution) {
    sessionMutex.enterOpen();
    try {
      close(execution);
      frame.arm(execution);
      CachedStatement cachedStatement =
          frame.begin(execution, execution.cachedStatement().readOnly());
      boolean opened = false;
      try {
        if (cachedStatement.kind().category() == Category.EXPLAIN) {
          explain(execution);
        } else {
          execution.execution().open(frame.transaction());
          execution.opened();
          results.add(execution);
        }
        opened = true;
      } catch (NelumboException e) {
        opened = true;
        throw frame.failed(e, false, 0);
      } finally {
        if (!opened) {
          frame.failedInside(false, 0);
        }
      }
    } finally {
      frame.running(null);
      sessionMutex.exit();
    }
  }

  private void explain(LocalExecution execution) {
    Transaction transaction = frame.transaction();
    Explanation explanation = new Explanation(environment, transaction);
    if (execution.cachedStatement().analyze()) {
      long mark = transaction.savepoint();
      boolean done = false;
      try {
        explanation.analyze(execution.execution());
        done = true;
      } finally {
        if (!done) {
          transaction.rollbackTo(mark);
        }
      }
      explanation.analyzeEnd(() -> frame.end(true));
    } else {
      explanation.show(execution.cachedStatement().physical().plan().explain());
      frame.end(true);
    }
    execution.opened(new BufferedRows(explanation.lines()));
  }

  /** To the next row; false, and the result closed, if there is none or none is wanted. */
  boolean next(LocalExecution execution, boolean wanted) {
    sessionMutex.enterOpen();
    try {
      if (wanted && execution.execution().next()) {
        return true;
      }
      close(execution);
      return false;
    } catch (NelumboException e) {
      results.remove(execution);
      execution.closed();
      throw frame.failed(e, false, 0);
    } finally {
      sessionMutex.exit();
    }
  }

  void close(LocalExecution execution) {
    sessionMutex.enter();
    try {
      if (!execution.isOpen()) {
        return;
      }
      boolean streamed = execution.isStreaming();
      if (streamed) {
        execution.execution().close();
        results.remove(execution);
      }
      execution.closed();
      if (streamed && !sessionMutex.isClosed()) {
        frame.end(results.isEmpty());
      }
    } finally {
      sessionMutex.exit();
    }
  }
}
