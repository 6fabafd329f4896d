package org.nelumbo.database.session;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.plan.ExplainedOperator;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.plan.VerbCount;
import org.nelumbo.executor.txn.Transaction;

/**
 * The result of EXPLAIN or EXPLAIN ANALYZE. The latter runs the statement and measures rows, round
 * trips, verbs, bytes and time of each operator, including its inputs, and of the whole statement.
 * If the statement ends its transaction, the commit is measured, too.
 */
final class Explanation {
  private final Environment environment;
  private final Transaction transaction;
  private ExplainedOperator plan;
  private Total statement;
  private Total commit;

  /**
   * Measurements of a whole statement or of a commit.
   *
   * @param rows rows of the statement
   * @param memory peak of the reserved memory, in bytes
   */
  record Total(long rows, VerbCount verbs, long nanos, long memory) {}

  Explanation(Environment environment, Transaction transaction) {
    this.environment = environment;
    this.transaction = transaction;
  }

  /** Returns the operators. */
  ExplainedOperator plan() {
    return plan;
  }

  /** Returns the measurements of the statement, or null if it was not run. */
  Total statement() {
    return statement;
  }

  /** Returns the measurements of the commit, or null if there was none. */
  Total commit() {
    return commit;
  }

  /** Explains a plan without running it. */
  void show(Plan planned) {
    plan = planned.explained();
  }

  /** Runs the statement and measures it. */
  void analyze(PlanExecution execution) {
    VerbCount verbs = begin();
    long start = environment.nanoTime();
    long count = execution.executeUpdate(transaction);
    long nanos = environment.nanoTime() - start;
    verbs.stop();
    plan = execution.explained();
    statement = new Total(count, verbs, nanos, execution.peakMemory());
  }

  private VerbCount begin() {
    VerbCount verbs = new VerbCount();
    verbs.start(transaction.counters());
    return verbs;
  }

  /** Runs the action that ends the statement, and measures it if it ends the transaction. */
  void analyzeEnd(Runnable ending) {
    VerbCount verbs = begin();
    long start = environment.nanoTime();
    ending.run();
    long nanos = environment.nanoTime() - start;
    verbs.stop();
    if (!transaction.isActive()) {
      commit = new Total(0, verbs, nanos, 0);
    }
  }
}
