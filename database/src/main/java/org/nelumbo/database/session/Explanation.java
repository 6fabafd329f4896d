package org.nelumbo.database.session;

import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.plan.ExplainedOperator;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.plan.VerbCount;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.frontend.PlanTimes;

/**
 * The result of EXPLAIN or EXPLAIN ANALYZE. The latter runs the statement and measures rows, round
 * trips, verbs, bytes and time of each operator, including its inputs, and of the whole statement.
 * If the statement ends its transaction, the commit is measured, too. The plan was measured when it
 * was made.
 */
final class Explanation {
  private final Environment environment;
  private final Transaction transaction;
  private final PlanTimes planning;
  private final boolean isPlanCached;
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

  /** Starts to explain a statement, whose plan counts as used from then on. */
  Explanation(Environment environment, Transaction transaction, CachedStatement statement) {
    this.environment = environment;
    this.transaction = transaction;
    this.planning = statement.times();
    this.isPlanCached = statement.markUsed();
  }

  /** Returns the durations of the stages of the compilation. */
  PlanTimes planning() {
    return planning;
  }

  /** Returns true if the plan was used before, so that it was not made for this run. */
  boolean isPlanCached() {
    return isPlanCached;
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
