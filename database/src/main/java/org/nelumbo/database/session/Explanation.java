package org.nelumbo.database.session;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.plan.ExplainedOperator;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.plan.VerbCount;
import org.nelumbo.executor.txn.Transaction;

/**
 * What EXPLAIN and EXPLAIN ANALYZE find out. The latter runs the statement: each operator has its
 * rows, round trips, verbs, bytes and time, those of the operators below included; so has the
 * statement, and the commit if the statement ended its transaction.
 */
final class Explanation {
  private final Environment environment;
  private final Transaction transaction;
  private ExplainedOperator plan;
  private Total statement;
  private Total commit;

  /**
   * What a statement or a commit took as a whole.
   *
   * @param rows of the statement
   * @param memory the most that it had reserved at a time, in bytes
   */
  record Total(long rows, VerbCount verbs, long nanos, long memory) {}

  Explanation(Environment environment, Transaction transaction) {
    this.environment = environment;
    this.transaction = transaction;
  }

  /** The operators. */
  ExplainedOperator plan() {
    return plan;
  }

  /** What the statement took; null if it was not run. */
  Total statement() {
    return statement;
  }

  /** What the commit took; null if there was none. */
  Total commit() {
    return commit;
  }

  /** A plan as it stands. */
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

  /** Runs what ends the statement, and measures it if that ends the transaction. */
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
