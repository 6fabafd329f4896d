package org.nelumbo.planner.session;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.plan.VerbCount;
import org.nelumbo.executor.txn.Transaction;

/**
 * The result of EXPLAIN and EXPLAIN ANALYZE, line by line. The latter runs the statement: each
 * operator shows its rows, round trips, verbs, bytes and microseconds, those of the operators below
 * included; then follow the same of the statement, and of the commit if the statement ended its
 * transaction.
 */
final class Explanation {
  private static final long NANOS_PER_MICRO = 1_000;

  private final Environment environment;
  private final Transaction transaction;
  private final List<Object[]> lines = new ArrayList<>();
  private VerbCount verbs;
  private long start;

  Explanation(Environment environment, Transaction transaction) {
    this.environment = environment;
    this.transaction = transaction;
  }

  /** The lines so far. */
  List<Object[]> lines() {
    return lines;
  }

  /** A plan as it stands. */
  void show(String plan) {
    plan.lines().forEach(this::add);
  }

  private void add(String line) {
    lines.add(new Object[] {line});
  }

  private void begin() {
    verbs = new VerbCount();
    verbs.start(transaction.counters());
    start = environment.nanoTime();
  }

  private String end() {
    long micros = (environment.nanoTime() - start) / NANOS_PER_MICRO;
    verbs.stop();
    return verbs + " us=" + micros;
  }

  /** Runs the statement and measures it. */
  void analyze(PlanExecution execution) {
    FabricCounters counters = transaction.counters();
    begin();
    long count = execution.executeUpdate(transaction);
    String measured = end();
    show(execution.explain());
    long memory = execution.peakMemory();
    add("Statement rows=" + count + measured + (memory == 0 ? "" : " memory=" + memory));
    if (counters == null) {
      add("(round trips are counted in transactions that begin after this statement)");
    }
  }

  /** Runs what ends the statement, and measures it if that ends the transaction. */
  void analyzeEnd(Runnable ending) {
    begin();
    ending.run();
    String measured = end();
    if (!transaction.isActive()) {
      add("Commit" + measured);
    }
  }
}
