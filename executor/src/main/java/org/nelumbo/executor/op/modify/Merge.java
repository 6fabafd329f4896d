package org.nelumbo.executor.op.modify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.executor.op.basic.Spool;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;

/**
 * MERGE: executes the first clause that applies to each row of its source, and shows the changed
 * rows. All rows of the source are read before the first change. It is an error if two rows of the
 * source would change the same row of the table. Constraints and uniqueness are checked at the end,
 * as for UPDATE.
 */
public final class Merge extends Operator {
  private final Operator source;
  private final TableStore table;
  private final int tableRow;
  private final int resultRow;
  private final List<Clause> clauses;

  private final KeyBuffer key = new KeyBuffer();
  private BytesHashTable changed;
  private Frame frame;
  private boolean sourceDone;

  /**
   * A clause.
   *
   * @param matched true if it applies to rows of the source that match a row of the table
   * @param condition additional condition, or null
   * @param change Update, Delete or Insert over a {@link SingleRow}; null to do nothing
   * @param changedRow frame row that shows the result of the change
   */
  public record Clause(boolean matched, Expression condition, Operator change, int changedRow) {}

  /**
   * Creates a merge.
   *
   * @param source operator that returns rows of the other side, with the matching row of the table
   * @param tableRow frame row of the table's row, absent if none matches
   * @param resultRow frame row that shows the changed row
   */
  public Merge(
      Operator source, TableStore table, int tableRow, int resultRow, List<Clause> clauses) {
    this(table, tableRow, resultRow, clauses, new Spool(source));
  }

  private Merge(
      TableStore table, int tableRow, int resultRow, List<Clause> clauses, Operator source) {
    this.source = source;
    this.table = table;
    this.tableRow = tableRow;
    this.resultRow = resultRow;
    this.clauses = clauses;
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    if (changed == null) {
      changed = new BytesHashTable(newFrame.limits().newAccount("MERGE"));
    }
    changed.release();
    sourceDone = false;
    source.open(newFrame, newTransaction);
    for (Clause clause : clauses) {
      if (clause.change != null) {
        clause.change.open(newFrame, newTransaction);
      }
    }
  }

  @Override
  public boolean next() {
    while (!sourceDone) {
      frame.limits().work(1);
      if (!source.next()) {
        sourceDone = true;
        changes(RowChange::deleteDeferred);
      } else if (carryOut(clause())) {
        return true;
      }
    }
    for (Clause clause : clauses) {
      if (clause.change instanceof RowChange change && change.changeDeferred()) {
        frame.row(resultRow).wrap(frame.row(clause.changedRow));
        return true;
      }
    }
    changes(RowChange::finishChecks);
    return false;
  }

  private void changes(Consumer<RowChange> action) {
    for (Clause clause : clauses) {
      if (clause.change instanceof RowChange change) {
        action.accept(change);
      }
    }
  }

  private Clause clause() {
    boolean matched = frame.row(tableRow).bytes != null;
    for (Clause clause : clauses) {
      if (clause.matched == matched
          && (clause.condition == null || clause.condition.isTrue(frame))) {
        return clause;
      }
    }
    return null;
  }

  private boolean carryOut(Clause clause) {
    if (clause == null || !(clause.change instanceof RowChange change)) {
      return false;
    }
    if (clause.matched) {
      checkFirst();
    }
    boolean done = change.changeInTurn();
    if (done) {
      frame.row(resultRow).wrap(frame.row(clause.changedRow));
    }
    return done;
  }

  private void checkFirst() {
    table.layout().keyOf(frame.row(tableRow), key);
    changed.add(key.bytes, 0, key.length);
    if (!changed.lastAdded()) {
      throw new NelumboException(
          ErrorCode.CARDINALITY,
          "MERGE would change a row of "
              + table.schema().name()
              + " twice; have each row matched by one row of the source at most");
    }
  }

  @Override
  public void close() {
    sourceDone = true;
    source.close();
    for (Clause clause : clauses) {
      if (clause.change != null) {
        clause.change.close();
      }
    }
    if (changed != null) {
      changed.release();
    }
  }

  @Override
  public Operator copy(Copier copier) {
    List<Clause> copies = new ArrayList<>();
    for (Clause each : clauses) {
      Operator change = each.change == null ? null : Copier.PLAIN.copy(each.change);
      copies.add(new Clause(each.matched, each.condition, change, each.changedRow));
    }
    return new Merge(table, tableRow, resultRow, copies, copier.copy(source));
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofRow(resultRow);
  }

  @Override
  public String explain() {
    StringBuilder text = new StringBuilder("Merge(" + table.schema());
    for (Clause clause : clauses) {
      text.append(clause.matched ? "; matched" : "; not matched");
      text.append(clause.condition == null ? "" : " and " + clause.condition);
      text.append(": ").append(clause.change == null ? "nothing" : clause.change.explain());
    }
    return text.append(')').toString();
  }

  @Override
  public List<Operator> children() {
    return List.of(source);
  }
}
