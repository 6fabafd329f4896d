package org.nelumbo.executor.op.modify;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * A check of either side of a FOREIGN KEY: the referenced row must exist when a referring row is
 * written, or no referring row may exist when a referenced row is deleted. The rows are searched
 * for by a probe operator, which refers to the checked row through the frame. If one of the key
 * values is NULL, the constraint holds.
 */
public final class ForeignKeyCheck extends RowConstraint {
  private static final int PROBED_ROWS = 8;

  private final String name;
  private final String table;
  private final Operator probe;
  private final Expression[] keys;
  private final boolean mustExist;

  /** Probe with values that are known before the statement runs; null if they are not. */
  private final Operator hintProbe;

  /** Searches for many rows at once, if the probe reads a whole table; null otherwise. */
  private final ForeignKeyScan scan;

  /** Finds a row that has obtained the key in the meantime; null if that is not permitted. */
  private final Operator successor;

  /**
   * Creates the check for a referring row that is written: the row it refers to must exist.
   *
   * @param table name of the changed table, for the message
   * @param probe operator that finds the row of the other table
   * @param keys values of the foreign key in the changed row
   * @param hintProbe the probe with parameters and constants, null if they do not determine the
   *     key; never opened
   */
  public static ForeignKeyCheck mustExist(
      String name, String table, Operator probe, Expression[] keys, Operator hintProbe) {
    return new ForeignKeyCheck(name, table, probe, keys, true, hintProbe, null, null);
  }

  /**
   * Creates the check for a referenced row that is deleted, or whose key changes: no row may refer
   * to it.
   *
   * @param table name of the changed table, for the message
   * @param probe operator that finds the rows of the other table that refer to it
   * @param keys referenced values in the changed row
   * @param hintProbe as in {@link #mustExist}
   */
  public static ForeignKeyCheck mustNotExist(
      String name, String table, Operator probe, Expression[] keys, Operator hintProbe) {
    return new ForeignKeyCheck(name, table, probe, keys, false, hintProbe, null, null);
  }

  private ForeignKeyCheck(
      String name,
      String table,
      Operator probe,
      Expression[] keys,
      boolean mustExist,
      Operator hintProbe,
      ForeignKeyScan scan,
      Operator successor) {
    this.name = name;
    this.table = table;
    this.probe = probe;
    this.keys = keys;
    this.mustExist = mustExist;
    this.hintProbe = hintProbe;
    this.scan = scan;
    this.successor = successor;
  }

  /**
   * Creates the check that no row of another table refers to a deleted row, for the case that no
   * index leads to the referring rows.
   *
   * @param table name of the changed table, for the message; it is not the other one
   * @param rows operator that returns all rows of the other table
   * @param columns columns of the foreign key in such a row
   * @param keys referenced values in the changed row
   */
  public static ForeignKeyCheck unindexed(
      String name, String table, Operator rows, Expression[] columns, Expression[] keys) {
    ForeignKeyScan scan = new ForeignKeyScan(rows, columns, keys);
    return new ForeignKeyCheck(name, table, scan.probe(), keys, false, null, scan, null);
  }

  /**
   * Returns a copy of this check that permits the removal of a referenced key if another row of the
   * statement obtains it (NO ACTION): rows are checked after all have been changed.
   *
   * @param found operator that finds a row of the changed table that has the key now
   */
  public ForeignKeyCheck unlessRegained(Operator found) {
    return new ForeignKeyCheck(name, table, probe, keys, mustExist, hintProbe, scan, found);
  }

  @Override
  void collectHints(Frame frame, PrefetchHints prefetchHints) {
    if (hintProbe != null) {
      hintProbe.collectHints(frame, prefetchHints);
    }
  }

  @Override
  PrefetchKind prefetchKind() {
    if (scan != null) {
      return PrefetchKind.SCAN;
    }
    return probe.leadingAccess() == null ? PrefetchKind.NONE : PrefetchKind.READS;
  }

  @Override
  void collectPrefetch(Frame frame, Transaction transaction, ReadAhead ahead) {
    if (hasNull(frame)) {
      return;
    }
    PrefetchableAccess first = probe.leadingAccess();
    if (scan != null) {
      scan.add(frame);
    } else if (first != null) {
      first.collectPrefetch(frame, transaction, ahead, PROBED_ROWS);
    }
  }

  @Override
  void batchComplete(Frame frame, Transaction transaction) {
    if (scan != null) {
      scan.run(frame, transaction);
    }
  }

  private boolean hasNull(Frame frame) {
    for (Expression key : keys) {
      if (key.isNull(frame)) {
        return true;
      }
    }
    return false;
  }

  @Override
  void check(Frame frame, Transaction transaction, boolean prefetched) {
    if (hasNull(frame) || (prefetched && scan != null && scan.isFree(frame))) {
      return;
    }
    if (!mustExist && !prefetched) {
      transaction.discardReadAhead();
    }
    if (finds(probe, frame, transaction) != mustExist
        && (successor == null || !finds(successor, frame, transaction))) {
      throw new NelumboException(
          ErrorCode.FOREIGN_KEY_VIOLATION,
          "foreign key "
              + name
              + (mustExist ? ": no referenced row for " : ": still referenced is ")
              + table
              + " ("
              + ConstraintViolations.values(keys, frame)
              + ")");
    }
  }

  private static boolean finds(Operator operator, Frame frame, Transaction transaction) {
    operator.open(frame, transaction);
    boolean found = operator.next();
    operator.close();
    return found;
  }

  @Override
  boolean dependsOn(TableStore table) {
    return reads(probe, table) || (successor != null && reads(successor, table));
  }

  private static boolean reads(Operator operator, TableStore table) {
    TableAccess access = operator.tableAccess();
    return (access != null && access.table() == table)
        || operator.children().stream().anyMatch(child -> reads(child, table));
  }

  @Override
  void close() {
    probe.close();
    if (successor != null) {
      successor.close();
    }
    if (scan != null) {
      scan.clear();
    }
  }

  @Override
  RowConstraint copy() {
    return new ForeignKeyCheck(
        name,
        table,
        Operator.Copier.PLAIN.copy(probe),
        keys,
        mustExist,
        hintProbe == null ? null : Operator.Copier.PLAIN.copy(hintProbe),
        scan == null ? null : scan.copy(),
        successor == null ? null : Operator.Copier.PLAIN.copy(successor));
  }
}
