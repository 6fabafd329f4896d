package org.nelumbo.executor.op.core;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/** A table access whose keys are known before it is opened, so that they can be read ahead. */
public interface PrefetchableAccess {
  /**
   * Adds what it will read if it is opened while the frame shows what it shows now.
   *
   * @param most rows that are worth reading ahead
   */
  void collectPrefetch(Frame frame, Transaction transaction, ReadAhead ahead, int most);

  /** Everything of a batch has been added, and is going to be read. */
  default void batchComplete() {}
}
