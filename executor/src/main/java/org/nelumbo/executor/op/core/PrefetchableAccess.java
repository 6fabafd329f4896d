package org.nelumbo.executor.op.core;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/** A table access whose keys are known before it is opened, so that they can be read ahead. */
public interface PrefetchableAccess {
  /**
   * Adds the reads of an execution that is opened with the present state of the frame.
   *
   * @param most number of rows that are worth reading ahead
   */
  void collectPrefetch(Frame frame, Transaction transaction, ReadAhead ahead, int most);

  /** Called when all accesses of a batch have been added, before they are read. */
  default void batchComplete() {}
}
