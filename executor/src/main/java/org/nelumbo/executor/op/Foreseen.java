package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.ReadAhead;

/** An access to a table whose keys can be told before it is opened. */
public interface Foreseen {
  /**
   * Adds what it will read if it is opened while the frame shows what it shows now.
   *
   * @param most rows that are worth reading ahead
   */
  void foresee(Frame frame, ReadAhead ahead, int most);

  /** Everything of a batch has been added, and is going to be read. */
  default void complete() {}
}
