package org.nelumbo.executor.plan;

import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * An operator whose rows, time and verbs (including those of its inputs) are measured for EXPLAIN
 * ANALYZE. Verbs are counted if the channel of the transaction counts them.
 */
final class InstrumentedOperator extends Operator {
  private final Operator planned;
  private final Operator inner;
  private final Environment environment;
  private long opens;
  private long rows;
  private long nanos;
  private final VerbCount verbs = new VerbCount();
  private FabricCounters counters;
  private long start;
  private long spilled;
  private long spilledBefore;
  private StatementLimits limits;

  /**
   * Measures a copy of an operator of a plan.
   *
   * @param planned operator of the plan
   * @param inner copy of it that is run
   */
  InstrumentedOperator(Operator planned, Operator inner, Environment environment) {
    this.planned = planned;
    this.inner = inner;
    this.environment = environment;
  }

  @Override
  public void open(Frame frame, Transaction transaction) {
    counters = transaction.counters();
    limits = frame.limits();
    opens++;
    begin();
    try {
      inner.open(frame, transaction);
    } finally {
      end();
    }
  }

  @Override
  public boolean next() {
    begin();
    try {
      boolean found = inner.next();
      rows += found ? 1 : 0;
      return found;
    } finally {
      end();
    }
  }

  private void begin() {
    verbs.start(counters);
    spilledBefore = limits.spilledBytes();
    start = environment.nanoTime();
  }

  private void end() {
    nanos += environment.nanoTime() - start;
    verbs.stop();
    spilled += limits.spilledBytes() - spilledBefore;
  }

  @Override
  public void collectHints(Frame frame, PrefetchHints prefetchHints) {
    inner.collectHints(frame, prefetchHints);
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return inner.leadingAccess();
  }

  @Override
  public boolean readsNothing() {
    return inner.readsNothing();
  }

  @Override
  public void close() {
    inner.close();
  }

  @Override
  public Operator copy(Copier copier) {
    return copier.copy(inner);
  }

  @Override
  public FrameFields output() {
    return inner.output();
  }

  @Override
  public TableAccess tableAccess() {
    return inner.tableAccess();
  }

  @Override
  public String explain() {
    return inner.explain();
  }

  /** Returns the operator of the plan that this one measures a copy of. */
  Operator planned() {
    return planned;
  }

  OperatorStatistics statistics() {
    return new OperatorStatistics(opens, rows, nanos, spilled, verbs);
  }

  @Override
  public List<Operator> children() {
    return inner.children();
  }
}
