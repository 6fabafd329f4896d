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
 * A plan being run, repeatedly, with the current values of its {@link
 * org.nelumbo.types.ParameterSet}. A run returns rows or a count. Values are raw, see {@link
 * org.nelumbo.types.Kind}; columns are numbered from 0. Used by one thread at a time.
 *
 * <p>If a statement fails, the caller undoes its effects: it rolls back to a {@code
 * Transaction.savepoint()} taken before, or aborts the transaction (always after 40001).
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

  /**
   * Starts a run; a run that is still open is closed first. Fails with 07001 if a parameter is not
   * set.
   */
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

  /** Returns true if this is an INSERT of one row, which {@link #insertMany} can run many times. */
  public boolean canInsertMany() {
    return root instanceof Insert insert && insert.isCollectable();
  }

  /**
   * Runs an INSERT of one row many times, in few round trips. Either all rows are inserted, or it
   * throws.
   *
   * @param rows number of rows
   * @param setRow sets the parameters of a row, numbered from 0
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

  /** Adds the keys that a run with the present parameters will read. */
  public void collectHints(PrefetchHints prefetchHints) {
    root.collectHints(frame, prefetchHints);
  }

  /**
   * Moves to the next row and returns true. After the last row, or after an exception, the run is
   * closed.
   */
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

  /** Returns true if a column of the current row is NULL. */
  public boolean isNull(int column) {
    return outputs[column].isNull(frame);
  }

  /**
   * Returns the value of a column of a {@code long} type; {@link #takeNull} then tells whether it
   * is NULL.
   */
  public long longOrNull(int column) {
    return outputs[column].evalLong(frame);
  }

  /** Returns true if the last computed value was NULL, and resets the flag. */
  public boolean takeNull() {
    return frame.takeNull();
  }

  /** Returns the value of a column of a {@code long} type; undefined if it is NULL. */
  public long longAt(int column) {
    long raw = outputs[column].evalLong(frame);
    frame.isNull = false;
    return raw;
  }

  /** Returns the value of a column of an object type, or null if it is NULL. */
  public Object objectAt(int column) {
    return outputs[column].evalObject(frame);
  }

  /** Ends the run; does nothing if it has ended already. */
  public void close() {
    if (isOpen) {
      isOpen = false;
      root.close();
    }
  }

  /** Runs a statement to its end and returns the number of rows that it changed (or returned). */
  public long executeUpdate(Transaction transaction) {
    open(transaction);
    long count = 0;
    while (next()) {
      count++;
    }
    return count;
  }

  /** Returns the maximum memory that the last run had reserved at a time, in bytes. */
  public long peakMemory() {
    return frame.limits().peakMemory();
  }

  /** Returns the operators, with measurements if this execution takes them. */
  public ExplainedOperator explained() {
    return ExplainedOperator.of(root);
  }
}
