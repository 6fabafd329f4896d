package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/** A condition that each row has to meet which a statement has written (or deleted). */
public abstract class RowConstraint {
  /**
   * Checks the row that the frame shows at the place the constraint was made for.
   *
   * @param prefetched whether what was read ahead was read when the row was locked already
   * @throws org.nelumbo.error.NelumboException if it does not hold
   */
  abstract void check(Frame frame, Transaction transaction, boolean prefetched);

  /** Adds what a check will read, as far as it is known before the statement runs. */
  void collectHints(Frame frame, PrefetchHints prefetchHints) {}

  /** What can be told of the reads of a check before it runs. */
  enum PrefetchKind {
    NONE,
    /** What it begins with. */
    READS,
    /** Which values of unique indexes it is about. */
    VALUES,
    /** That it reads a whole table, which may as well be read for many rows. */
    SCAN
  }

  PrefetchKind prefetchKind() {
    return PrefetchKind.NONE;
  }

  /** Adds what a check of the row that the frame shows will read. */
  void collectPrefetch(Frame frame, Transaction transaction, ReadAhead ahead) {}

  /** The rows that were collected since the last call are all of a batch, and locked. */
  void batchComplete(Frame frame, Transaction transaction) {}

  /** Whether checking rows may change, or delete, rows of a table. */
  boolean changes(TableStore table) {
    return false;
  }

  /**
   * Whether the check of a row depends on what becomes of other rows of the table: it has to wait
   * until a statement has changed them all.
   */
  boolean dependsOn(TableStore table) {
    return changes(table);
  }

  static boolean anyChanges(RowConstraint[] constraints, TableStore table) {
    return Arrays.stream(constraints).anyMatch(each -> each.changes(table));
  }

  /** A copy with a state of its own. */
  abstract RowConstraint copy();

  /** Gives back what the last check may have left open. */
  void close() {}

  static RowConstraint[] copy(RowConstraint[] constraints) {
    RowConstraint[] copies = new RowConstraint[constraints.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = constraints[i].copy();
    }
    return copies;
  }

  /** Checks a row for which nothing was read ahead. */
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
