package org.nelumbo.executor.op;

import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Anticipation;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * FOREIGN KEY, either side: the referenced row must exist when a referring row is written, or no
 * referring row may exist when a referenced one goes. A probe operator looks; it refers to the row
 * through the frame. If one of the key values is NULL the constraint holds.
 */
public final class ReferenceConstraint extends RowConstraint {
  /** What a probe that wants one row reads at first. */
  private static final int PROBED_ROWS = 8;

  private final String name;
  private final String table;
  private final Operator probe;
  private final Expression[] keys;
  private final boolean mustExist;

  /** The probe by what is known before the statement runs; null if the values are not. */
  private final Operator announced;

  /** Where the probe reads a whole table: does that for many rows at once. Else null. */
  private final ReferenceScan scan;

  /**
   * A referring row is written: the row it refers to must exist.
   *
   * @param table the table that is being changed, for the message
   * @param probe finds the row of the other table
   * @param keys the foreign key's values in the row being changed
   * @param announced the probe by parameters and constants, null if they do not tell the key; never
   *     opened
   */
  public static ReferenceConstraint mustExist(
      String name, String table, Operator probe, Expression[] keys, Operator announced) {
    return new ReferenceConstraint(name, table, probe, keys, true, announced, null);
  }

  /**
   * A referenced row goes, or gets another key: no row may refer to it.
   *
   * @param table the table that is being changed, for the message
   * @param probe finds rows of the other table that refer to it
   * @param keys the values that they may refer to, in the row being changed
   * @param announced as in {@link #mustExist}
   */
  public static ReferenceConstraint mustNotExist(
      String name, String table, Operator probe, Expression[] keys, Operator announced) {
    return new ReferenceConstraint(name, table, probe, keys, false, announced, null);
  }

  private ReferenceConstraint(
      String name,
      String table,
      Operator probe,
      Expression[] keys,
      boolean mustExist,
      Operator announced,
      ReferenceScan scan) {
    this.name = name;
    this.table = table;
    this.probe = probe;
    this.keys = keys;
    this.mustExist = mustExist;
    this.announced = announced;
    this.scan = scan;
  }

  /**
   * No row of another table may refer to a row that goes; it has no index that leads to them.
   *
   * @param table the table that is being changed, for the message; it is not the other one
   * @param rows all rows of the other table
   * @param columns the foreign key's columns in such a row
   * @param keys the values that they may refer to, in the row being changed
   */
  public static ReferenceConstraint unindexed(
      String name, String table, Operator rows, Expression[] columns, Expression[] keys) {
    ReferenceScan scan = new ReferenceScan(rows, columns, keys);
    return new ReferenceConstraint(name, table, scan.probe(), keys, false, null, scan);
  }

  @Override
  void anticipate(Frame frame, Anticipation anticipation) {
    if (announced != null) {
      announced.anticipate(frame, anticipation);
    }
  }

  @Override
  Foresight foresight() {
    if (scan != null) {
      return Foresight.SCAN;
    }
    return probe.foreseen() == null ? Foresight.NONE : Foresight.READS;
  }

  @Override
  void foresee(Frame frame, ReadAhead ahead) {
    if (hasNull(frame)) {
      return;
    }
    Foreseen first = probe.foreseen();
    if (scan != null) {
      scan.add(frame);
    } else if (first != null) {
      first.foresee(frame, ahead, PROBED_ROWS);
    }
  }

  @Override
  void complete(Frame frame, Transaction transaction) {
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
  void check(Frame frame, Transaction transaction, boolean foreseen) {
    if (hasNull(frame) || (foreseen && scan != null && scan.isFree(frame))) {
      return;
    }
    if (!mustExist && !foreseen) {
      transaction.forgetReadAhead();
    }
    probe.open(frame, transaction);
    boolean exists = probe.next();
    probe.close();
    if (exists != mustExist) {
      throw new NelumboException(
          ErrorCode.FOREIGN_KEY_VIOLATION,
          "foreign key "
              + name
              + (mustExist ? ": no referenced row for " : ": still referenced is ")
              + table
              + " ("
              + Violations.values(keys, frame)
              + ")");
    }
  }

  @Override
  void close() {
    probe.close();
    if (scan != null) {
      scan.clear();
    }
  }

  @Override
  RowConstraint copy() {
    return new ReferenceConstraint(
        name,
        table,
        Operator.Copier.PLAIN.copy(probe),
        keys,
        mustExist,
        announced == null ? null : Operator.Copier.PLAIN.copy(announced),
        scan == null ? null : scan.copy());
  }
}
