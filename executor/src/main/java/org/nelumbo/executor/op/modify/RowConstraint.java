package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/** A condition on each row that a statement has written or deleted. */
public abstract class RowConstraint {
  /**
   * Checks the row in the frame row that the constraint was created for.
   *
   * @param prefetched true if the read-ahead took place after the row had been locked
   * @throws org.nelumbo.error.NelumboException if the constraint is violated
   */
  abstract void check(Frame frame, Transaction transaction, boolean prefetched);

  /** Adds the reads of a check, as far as they are known before the statement runs. */
  void collectHints(Frame frame, PrefetchHints prefetchHints) {}

  /** The part of a check's reads that is known before it runs. */
  enum PrefetchKind {
    NONE,
    /** The first accesses. */
    READS,
    /** The values of unique indexes. */
    VALUES,
    /** The scan of a whole table, which can be shared by many rows. */
    SCAN
  }

  PrefetchKind prefetchKind() {
    return PrefetchKind.NONE;
  }

  /** Adds the reads of the check of the frame's row. */
  void collectPrefetch(Frame frame, Transaction transaction, ReadAhead ahead) {}

  /** Called when all rows of a batch have been collected and locked. */
  void batchComplete(Frame frame, Transaction transaction) {}

  /** Returns true if checking rows may change or delete rows of a table. */
  boolean changes(TableStore table) {
    return false;
  }

  /**
   * Returns true if the check of a row depends on changes of other rows of the table, so that it
   * has to be postponed until the statement has changed all rows.
   */
  boolean dependsOn(TableStore table) {
    return changes(table);
  }

  static boolean anyChanges(RowConstraint[] constraints, TableStore table) {
    return Arrays.stream(constraints).anyMatch(each -> each.changes(table));
  }

  /** Returns a copy with its own state. */
  abstract RowConstraint copy();

  /** Releases resources that the last check may have left open. */
  void close() {}

  static RowConstraint[] copy(RowConstraint[] constraints) {
    RowConstraint[] copies = new RowConstraint[constraints.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = constraints[i].copy();
    }
    return copies;
  }

  /** Checks a row without read-ahead. */
  static void checkAll(RowConstraint[] constraints, Frame frame, Transaction transaction) {
    checkAll(constraints, frame, transaction, false);
  }

  static void checkAll(
      RowConstraint[] constraints, Frame frame, Transaction transaction, boolean prefetched) {
    for (RowConstraint constraint : constraints) {
      constraint.check(frame, transaction, prefetched);
    }
  }

  static void collectAllHints(
      RowConstraint[] constraints, Frame frame, PrefetchHints prefetchHints) {
    for (RowConstraint constraint : constraints) {
      constraint.collectHints(frame, prefetchHints);
    }
  }

  static void closeAll(RowConstraint[] constraints) {
    for (RowConstraint constraint : constraints) {
      constraint.close();
    }
  }
}
