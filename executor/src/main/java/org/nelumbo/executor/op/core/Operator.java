package org.nelumbo.executor.op.core;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * A node of a plan and the state of its execution, see the package. One thread at a time.
 *
 * <p>Life: {@code open}, {@code next} until it returns false or the caller has enough, {@code
 * close}; then it may be opened again. {@code close} is harmless when not open, and is called also
 * after an exception.
 */
public abstract class Operator {
  private double expectedRows = -1;
  private double expectedCost = -1;

  /** Notes about how many rows the planner expects each time it is opened, for EXPLAIN. */
  public final void expect(double rows) {
    expectedRows = rows;
  }

  /** Notes what the planner expects, and the cost by which it chose this way of reading. */
  public final void expect(double rows, double cost) {
    expectedRows = rows;
    expectedCost = cost;
  }

  /** About how many rows it gives each time it is opened; -1 if the planner did not tell. */
  public final double expectedRows() {
    return expectedRows;
  }

  /** What reading costs, by which the planner chose; -1 if it did not tell. */
  public final double expectedCost() {
    return expectedCost;
  }

  /** Starts (again) from the first row. */
  public abstract void open(Frame frame, Transaction transaction);

  /** Goes to the next row, which the frame then shows; false after the last. */
  public abstract boolean next();

  /**
   * Adds the keys that a run with the present parameters will ask for, as far as they are known
   * without running; may be called at any time.
   */
  public void collectHints(Frame frame, PrefetchHints prefetchHints) {}

  /**
   * The access that a run begins with, whose keys depend on nothing that the run finds itself; null
   * if there is none, or it cannot be told.
   */
  public PrefetchableAccess leadingAccess() {
    return null;
  }

  /** Whether a run asks nothing of the pool, so that it may as well be run to know what comes. */
  public boolean readsNothing() {
    return false;
  }

  /** Ends the execution, gives back what it holds. */
  public abstract void close();

  /** A copy that is not open, with children copied by the copier. */
  public abstract Operator copy(Copier copier);

  /** The rows and slots of the frame that show this operator's current row. */
  public abstract FrameFields output();

  /** One line for EXPLAIN, without children. */
  public abstract String explain();

  /** The operators it pulls from, in order. */
  public abstract List<Operator> children();

  /** The table access of this operator itself, null if it has none. */
  public TableAccess tableAccess() {
    return null;
  }

  /** Copies the operators of a plan; may wrap them, as EXPLAIN ANALYZE does. */
  @FunctionalInterface
  public interface Copier {
    Copier PLAIN =
        new Copier() {
          @Override
          public Operator copy(Operator operator) {
            return operator.copy(this);
          }
        };

    Operator copy(Operator operator);
  }
}
