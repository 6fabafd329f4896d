package org.nelumbo.executor.plan;

import java.util.function.IntConsumer;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.Insert;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * A plan being run, again and again, with the values that its {@link
 * org.nelumbo.types.ParameterSet} has then: rows or a count out. Values are raw, see {@link
 * org.nelumbo.types.Kind}; columns count from 0. One thread at a time.
 *
 * <p>A statement's effects are taken back by the caller when it fails: with {@code
 * Transaction.savepoint()} before, or by aborting (always after 40001).
 */
public final class PlanExecution {
  private final Plan plan;
  private final Operator root;
  private final Frame frame;
  private final Expression[] outputs;
  private boolean isOpen;

  PlanExecution(Plan plan, Frame frame, Operator root) {
    this.plan = plan;
    this.root = root;
    this.frame = frame;
    this.outputs =
        plan.columns().stream().map(Plan.OutputColumn::expression).toArray(Expression[]::new);
  }

  public Plan plan() {
    return plan;
  }

  /** Starts; an execution still open is closed. */
  public void open(Transaction transaction) {
    close();
    frame.limits().start(transaction.limits());
    frame.setSession(transaction.session());
    startStatement();
    isOpen = true;
    boolean opened = false;
    try {
      root.open(frame, transaction);
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  private void startStatement() {
    int unset = frame.parameters().firstUnset();
    if (unset >= 0) {
      throw new NelumboException(
          ErrorCode.PARAMETER_NOT_SET, "parameter " + (unset + 1) + " has no value");
    }
    frame.startStatement();
  }

  /** Whether this is an INSERT of one row, so that {@link #insertMany} may run it many times. */
  public boolean canInsertMany() {
    return root instanceof Insert insert && insert.isCollectable();
  }

  /**
   * Runs an INSERT of one row many times, in few round trips; all rows are inserted, or it throws.
   *
   * @param setRow sets the parameters of a row, counted from 0
   */
  public void insertMany(Transaction transaction, int rows, IntConsumer setRow) {
    assert canInsertMany() : "not an INSERT of one row";
    close();
    frame.limits().start(transaction.limits());
    frame.setSession(transaction.session());
    Insert insert = (Insert) root;
    insert.startCollection(frame, transaction);
    for (int i = 0; i < rows; i++) {
      setRow.accept(i);
      frame.limits().work(1);
      startStatement();
      insert.collect();
    }
    insert.insertCollected();
  }

  /** Adds the keys that a run with the present parameters will ask for. */
  public void collectHints(PrefetchHints prefetchHints) {
    root.collectHints(frame, prefetchHints);
  }

  /** Goes to the next row; after the last, or an exception, the execution is closed. */
  public boolean next() {
    boolean found = false;
    try {
      frame.limits().work(1);
      found = isOpen && root.next();
    } finally {
      if (!found) {
        close();
      }
    }
    return found;
  }

  /** Whether a column of the present row is NULL. */
  public boolean isNull(int column) {
    return outputs[column].isNull(frame);
  }

  /** Returns the value of a column of a {@code long} type; {@link #takeNull} says if it is NULL. */
  public long longOrNull(int column) {
    return outputs[column].evalLong(frame);
  }

  /** Returns true if the last value that was computed is NULL, and forgets it. */
  public boolean takeNull() {
    return frame.takeNull();
  }

  /** The value of a column of a {@code long} type; meaningless if it is NULL. */
  public long longAt(int column) {
    long raw = outputs[column].evalLong(frame);
    frame.isNull = false;
    return raw;
  }

  /** The value of a column of an object type; null if it is NULL. */
  public Object objectAt(int column) {
    return outputs[column].evalObject(frame);
  }

  /** Ends the execution; harmless if it has ended. */
  public void close() {
    if (isOpen) {
      isOpen = false;
      root.close();
    }
  }

  /** Runs a statement to its end; the number of rows it changed (or returned). */
  public long executeUpdate(Transaction transaction) {
    open(transaction);
    long count = 0;
    while (next()) {
      count++;
    }
    return count;
  }

  /** The most memory that the last run had reserved at a time, in bytes. */
  public long peakMemory() {
    return frame.limits().peakMemory();
  }

  /** The operators; with measurements if this execution makes them. */
  public ExplainedOperator explained() {
    return ExplainedOperator.of(root);
  }
}
