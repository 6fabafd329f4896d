package org.nelumbo.executor.op.core;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * A node of a plan and the state of its execution; see the package description. Used by one thread
 * at a time.
 *
 * <p>Order of calls: {@code open}, {@code next} until it returns false or the caller stops, {@code
 * close}. Then the operator can be opened again. {@code close} has no effect if the operator is not
 * open, and is also called after an exception.
 */
public abstract class Operator {
  private double expectedRows = -1;
  private double expectedCost = -1;

  /**
   * Sets the number of rows that the planner expects each time the operator is opened, for EXPLAIN.
   */
  public final void expect(double rows) {
    expectedRows = rows;
  }

  /** Sets the expected number of rows, and the cost by which the planner chose the access path. */
  public final void expect(double rows, double cost) {
    expectedRows = rows;
    expectedCost = cost;
  }

  /** Returns the expected number of rows each time the operator is opened; -1 if it is unknown. */
  public final double expectedRows() {
    return expectedRows;
  }

  /** Returns the cost by which the planner chose the access path; -1 if it is unknown. */
  public final double expectedCost() {
    return expectedCost;
  }

  /** Starts (again) before the first row. */
  public abstract void open(Frame frame, Transaction transaction);

  /**
   * Moves to the next row, which the frame then shows, and returns true; returns false after the
   * last row.
   */
  public abstract boolean next();

  /**
   * Adds the keys that a run with the present parameters will read, as far as they are known
   * without running. May be called at any time.
   */
  public void collectHints(Frame frame, PrefetchHints prefetchHints) {}

  /**
   * Returns the access that a run begins with, whose keys do not depend on data that the run reads;
   * null if there is none or it is unknown.
   */
  public PrefetchableAccess leadingAccess() {
    return null;
  }

  /**
   * Returns true if a run reads nothing from the pool, so that it can be run to determine the keys
   * of later reads.
   */
  public boolean readsNothing() {
    return false;
  }

  /** Ends the execution and releases its resources. */
  public abstract void close();

  /** Returns a copy that is not open, whose children are copied by the copier. */
  public abstract Operator copy(Copier copier);

  /** Returns the rows and slots of the frame that show this operator's current row. */
  public abstract FrameFields output();

  /** Returns a line for EXPLAIN, without the children. */
  public abstract String explain();

  /** Returns the operators that this one reads from, in order. */
  public abstract List<Operator> children();

  /** Returns the table access of this operator itself, or null if it has none. */
  public TableAccess tableAccess() {
    return null;
  }

  /** Copies the operators of a plan, and may wrap them, as EXPLAIN ANALYZE does. */
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
