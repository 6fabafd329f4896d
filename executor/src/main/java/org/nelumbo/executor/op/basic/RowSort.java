package org.nelumbo.executor.op.basic;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.op.spill.SortedRuns;
import org.nelumbo.executor.txn.Transaction;

/**
 * Sorts the child's rows. With a FETCH only the required number of rows is kept (TopN): when twice
 * as many have been collected, the worse half is discarded, and later rows that sort after the
 * remaining ones are not even copied.
 *
 * <p>Rows are sorted in memory as long as the statement's budget allows. Beyond that, the collected
 * rows are written to a temporary file as a sorted run, and the runs are merged in the end.
 */
public final class RowSort extends UnaryOperator {
  private static final int SMALLEST_COLLECTION = 512;

  private final SortKey[] keys;
  private final Expression offset;
  private final Expression fetch;
  private SortBuffer order;
  private SortBuffer spareOrder;
  private MaterializedRows rows;
  private MaterializedRows spareRows;

  /** Holds the row that did not fit while the others are written. */
  private MaterializedRows pending;

  private SortedRuns runs;

  private Frame frame;
  private long limit;
  private int bound;
  private int position;
  private int end;

  /** Number of rows of the runs that are still to be returned. */
  private long left;

  /**
   * Creates a sort of the child's rows.
   *
   * @param offset number of rows to skip, or null
   * @param fetch number of rows to return, or null for all
   */
  public RowSort(Operator child, SortKey[] keys, Expression offset, Expression fetch) {
    super(child);
    this.keys = keys;
    this.offset = offset;
    this.fetch = fetch;
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(child.output(), newFrame, "ORDER BY");
      spareRows = new MaterializedRows(child.output(), newFrame, "ORDER BY");
      pending = MaterializedRows.uncounted(child.output(), newFrame);
      order = new SortBuffer(keys, newFrame);
      spareOrder = new SortBuffer(keys, newFrame);
    }
    release();
    long skipped = Limit.count(offset, newFrame, 0, "OFFSET");
    long passed = Limit.count(fetch, newFrame, Long.MAX_VALUE, "LIMIT");
    limit = skipped + passed < 0 ? Long.MAX_VALUE : skipped + passed;
    if (passed > 0) {
      child.open(newFrame, transaction);
      collect();
      child.close();
    }
    if (runs == null) {
      order.sort();
      end = (int) Math.min(order.size(), limit);
      position = (int) Math.min(end, skipped);
    } else {
      spill();
      left = passed;
      for (long i = 0; i < skipped && runs.next(); i++) {}
    }
  }

  private void collect() {
    long most = Math.max(2 * Math.min(limit, Integer.MAX_VALUE / 2), SMALLEST_COLLECTION);
    while (child.next()) {
      frame.limits().work(1);
      order.encode(frame);
      if (bound >= 0 && !order.isBefore(bound)) {
        continue;
      }
      add();
      if (order.size() >= most) {
        compact();
      }
    }
  }

  private void add() {
    if (tryAdd()) {
      return;
    }
    if (order.size() > 0) {
      spillBeside();
      order.encode(frame);
      if (tryAdd()) {
        return;
      }
    }
    throw order.exhausted();
  }

  /** The frame shows the same row afterwards. */
  private void spillBeside() {
    pending.add(frame);
    spill();
    pending.restore(0, frame);
    pending.release();
  }

  private boolean tryAdd() {
    if (!order.tryAdd()) {
      return false;
    }
    if (!rows.tryAdd(frame)) {
      order.removeLast();
      return false;
    }
    return true;
  }

  /** The frame shows other rows afterwards. */
  private void spill() {
    if (order.size() == 0) {
      return;
    }
    if (runs == null) {
      runs = new SortedRuns(child.output(), frame);
    }
    order.sort();
    RowFile run = runs.newRun();
    int count = (int) Math.min(order.size(), limit);
    for (int i = 0; i < count; i++) {
      int row = order.row(i);
      rows.restore(row, frame);
      run.write(frame, order.bytes(), order.start(row), order.length(row));
    }
    order.clear();
    rows.clear();
    spareRows.release();
    spareOrder.release();
    bound = -1;
  }

  /**
   * The last of the kept rows is the bound for later rows. If there is no memory for the copy, the
   * rows are written to a sorted run instead.
   */
  private void compact() {
    int kept = (int) Math.min(limit, order.size());
    order.sort();
    if (!tryCopyBest(kept)) {
      spillBeside();
      return;
    }
    MaterializedRows oldRows = rows;
    rows = spareRows;
    spareRows = oldRows;
    SortBuffer oldOrder = order;
    order = spareOrder;
    spareOrder = oldOrder;
    bound = kept - 1;
  }

  private boolean tryCopyBest(int count) {
    spareRows.clear();
    for (int i = 0; i < count; i++) {
      if (!spareRows.tryAddFrom(rows, order.row(i))) {
        return false;
      }
    }
    return spareOrder.tryTakeSorted(order, count);
  }

  @Override
  public boolean next() {
    if (runs != null) {
      return left-- > 0 && runs.next();
    }
    if (position >= end) {
      return false;
    }
    rows.restore(order.row(position++), frame);
    return true;
  }

  @Override
  public void close() {
    child.close();
    release();
  }

  private void release() {
    if (rows != null) {
      rows.release();
      spareRows.release();
      pending.release();
      order.release();
      spareOrder.release();
    }
    if (runs != null) {
      runs.close();
      runs = null;
    }
    bound = -1;
    position = 0;
    end = 0;
    left = 0;
  }

  @Override
  public Operator copy(Copier copier) {
    return new RowSort(copier.copy(child), keys, offset, fetch);
  }

  @Override
  public String explain() {
    String by = Arrays.stream(keys).map(SortKey::toString).collect(Collectors.joining(", "));
    return (fetch == null ? "Sort(" : "TopN(")
        + by
        + (offset == null ? "" : " OFFSET " + offset)
        + (fetch == null ? "" : " FETCH " + fetch)
        + ")";
  }
}
