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
 * FOREIGN KEY, either side: the referenced row must exist when a referring row is written, or no
 * referring row may exist when a referenced one goes. A probe operator looks; it refers to the row
 * through the frame. If one of the key values is NULL the constraint holds.
 */
public final class ForeignKeyCheck extends RowConstraint {
  /** What a probe that wants one row reads at first. */
  private static final int PROBED_ROWS = 8;

  private final String name;
  private final String table;
  private final Operator probe;
  private final Expression[] keys;
  private final boolean mustExist;

  /** The probe by what is known before the statement runs; null if the values are not. */
  private final Operator hintProbe;

  /** Where the probe reads a whole table: does that for many rows at once. Else null. */
  private final ForeignKeyScan scan;

  /** Finds a row that has got the key since; null where none may get it. */
  private final Operator successor;

  /**
   * A referring row is written: the row it refers to must exist.
   *
   * @param table the table that is being changed, for the message
   * @param probe finds the row of the other table
   * @param keys the foreign key's values in the row being changed
   * @param hintProbe the probe by parameters and constants, null if they do not tell the key; never
   *     opened
   */
  public static ForeignKeyCheck mustExist(
      String name, String table, Operator probe, Expression[] keys, Operator hintProbe) {
    return new ForeignKeyCheck(name, table, probe, keys, true, hintProbe, null, null);
  }

  /**
   * A referenced row goes, or gets another key: no row may refer to it.
   *
   * @param table the table that is being changed, for the message
   * @param probe finds rows of the other table that refer to it
   * @param keys the values that they may refer to, in the row being changed
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
   * No row of another table may refer to a row that goes; it has no index that leads to them.
   *
   * @param table the table that is being changed, for the message; it is not the other one
   * @param rows all rows of the other table
   * @param columns the foreign key's columns in such a row
   * @param keys the values that they may refer to, in the row being changed
   */
  public static ForeignKeyCheck unindexed(
      String name, String table, Operator rows, Expression[] columns, Expression[] keys) {
    ForeignKeyScan scan = new ForeignKeyScan(rows, columns, keys);
    return new ForeignKeyCheck(name, table, scan.probe(), keys, false, null, scan, null);
  }

  /**
   * Returns a check like this one that lets a referenced key go if another row of the statement
   * gets it (NO ACTION): rows are checked when all have been changed.
   *
   * @param found finds a row of the changed table that has the key now
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
