package org.nelumbo.executor.op.join;

import java.util.List;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * Joins its left rows with a table in one of two ways: by looking rows up, if there are few left
 * rows, or else by reading the whole table and hashing. It reads the first left rows before it
 * chooses. Used if the number of left rows depends on values that the planner did not know.
 */
public final class AdaptiveJoin extends Operator {
  private final Operator left;
  private final Operator lookups;
  private final Operator hashing;
  private final int slot;
  private final int limit;
  private FirstRows rows;
  private Operator chosen;

  /**
   * Creates an adaptive join. Both methods read the left rows by a {@link FirstRowsScan} of the
   * same slot, and show their rows in the same fields.
   *
   * @param lookups join for fewer left rows than {@code limit}
   * @param hashing join for more
   */
  public AdaptiveJoin(Operator left, Operator lookups, Operator hashing, int slot, int limit) {
    this.left = left;
    this.lookups = lookups;
    this.hashing = hashing;
    this.slot = slot;
    this.limit = limit;
  }

  @Override
  public void open(Frame frame, Transaction transaction) {
    if (rows == null) {
      rows = new FirstRows(left);
    }
    boolean areFew = rows.read(frame, transaction, limit);
    chosen = areFew ? lookups : hashing;
    frame.setSlotObject(slot, rows);
    chosen.open(frame, transaction);
  }

  @Override
  public boolean next() {
    return chosen != null && chosen.next();
  }

  @Override
  public void collectHints(Frame frame, PrefetchHints prefetchHints) {
    left.collectHints(frame, prefetchHints);
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return left.leadingAccess();
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
    }
    lookups.close();
    hashing.close();
    chosen = null;
  }

  @Override
  public Operator copy(Copier copier) {
    return new AdaptiveJoin(
        copier.copy(left), copier.copy(lookups), copier.copy(hashing), slot, limit);
  }

  @Override
  public FrameFields output() {
    return lookups.output().union(hashing.output());
  }

  @Override
  public String explain() {
    return "AdaptiveJoin(lookups for less than " + limit + " rows)";
  }

  @Override
  public List<Operator> children() {
    return List.of(left, lookups, hashing);
  }
}
