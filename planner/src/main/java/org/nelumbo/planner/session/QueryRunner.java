package org.nelumbo.planner.session;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.sql.StatementKind.Category;

/** Runs a session's statements that return rows: opens them, gives out rows, closes them. */
final class QueryRunner {
  private final Guard guard;
  private final StatementFrame frame;
  private final OpenResults results;
  private final Environment environment;

  QueryRunner(Guard guard, StatementFrame frame, Environment environment) {
    this.guard = guard;
    this.frame = frame;
    this.results = frame.results();
    this.environment = environment;
  }

  void open(LocalExecution execution) {
    guard.enterOpen();
    try {
      close(execution);
      frame.arm(execution);
      Compiled compiled = frame.begin(execution, execution.compiled().readOnly());
      boolean opened = false;
      try {
        if (compiled.kind().category() == Category.EXPLAIN) {
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
      guard.exit();
    }
  }

  private void explain(LocalExecution execution) {
    Transaction transaction = frame.transaction();
    Explanation explanation = new Explanation(environment, transaction);
    if (execution.compiled().analyze()) {
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
      explanation.show(execution.compiled().physical().plan().explain());
      frame.end(true);
    }
    execution.opened(new BufferedRows(explanation.lines()));
  }

  /** To the next row; false, and the result closed, if there is none or none is wanted. */
  boolean next(LocalExecution execution, boolean wanted) {
    guard.enterOpen();
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
      guard.exit();
    }
  }

  void close(LocalExecution execution) {
    guard.enter();
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
      if (streamed && !guard.isClosed()) {
        frame.end(results.isEmpty());
      }
    } finally {
      guard.exit();
    }
  }
}
