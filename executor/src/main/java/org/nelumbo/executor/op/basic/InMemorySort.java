package org.nelumbo.executor.op.basic;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.txn.Transaction;

/**
 * Sorts the child's rows in memory. With a FETCH only as many rows as it needs are kept (TopN):
 * when twice as many have been collected, the worse half is thrown away, and later rows that sort
 * behind the rest are not even copied.
 */
public final class InMemorySort extends UnaryOperator {
  private static final int SMALLEST_COLLECTION = 512;

  private final SortKey[] keys;
  private final Expression offset;
  private final Expression fetch;
  private SortBuffer order;
  private SortBuffer spareOrder;
  private MaterializedRows rows;
  private MaterializedRows spareRows;
  private Frame frame;
  private long limit;
  private int bound;
  private int position;
  private int end;

  /**
   * A sort of all rows of the child.
   *
   * @param offset rows to skip, null for none
   * @param fetch rows to pass, null for all
   */
  public InMemorySort(Operator child, SortKey[] keys, Expression offset, Expression fetch) {
    super(child);
    this.keys = keys;
    this.offset = offset;
    this.fetch = fetch;
    this.order = new SortBuffer(keys);
    this.spareOrder = new SortBuffer(keys);
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(child.output(), newFrame.layout());
      spareRows = new MaterializedRows(child.output(), newFrame.layout());
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
    order.sort();
    end = (int) Math.min(order.size(), limit);
    position = (int) Math.min(end, skipped);
  }

  private void collect() {
    long most = Math.max(2 * Math.min(limit, Integer.MAX_VALUE / 2), SMALLEST_COLLECTION);
    while (child.next()) {
      order.encode(frame);
      if (bound >= 0 && !order.isBefore(bound)) {
        continue;
      }
      order.add();
      rows.add(frame);
      if (order.size() >= most) {
        compact();
      }
    }
  }

  /** Keeps the best {@link #limit} rows; the last of them is the bound for later ones. */
  private void compact() {
    int kept = (int) Math.min(limit, order.size());
    order.sort();
    spareRows.clear();
    for (int i = 0; i < kept; i++) {
      spareRows.addFrom(rows, order.row(i));
    }
    spareOrder.takeSorted(order, kept);
    MaterializedRows oldRows = rows;
    rows = spareRows;
    spareRows = oldRows;
    SortBuffer oldOrder = order;
    order = spareOrder;
    spareOrder = oldOrder;
    bound = kept - 1;
  }

  @Override
  public boolean next() {
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
      rows.clear();
      spareRows.clear();
    }
    order.clear();
    spareOrder.clear();
    bound = -1;
    position = 0;
    end = 0;
  }

  @Override
  public Operator copy(Copier copier) {
    return new InMemorySort(copier.copy(child), keys, offset, fetch);
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
