package org.nelumbo.tpcc.nativeapi;

import java.util.Arrays;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * Stock-Level, clause 2.8: counts the items with low stock in the last twenty orders of the
 * terminal's district. Reads only.
 */
final class StockLevel extends TpccTransaction {
  private static final int ORDERS = 20;
  private static final int LINES_MAX = ORDERS * OrderInput.LINES_MAX;

  private final TpccRandom random;
  private final Home home;
  private final PointBatch batch;
  private final RangeScan scan;
  private final ScanRange lineRange = new ScanRange().rowsHint(LINES_MAX);
  private final RowBuffer row = new RowBuffer();
  private final KeyBuffer low = new KeyBuffer();
  private final KeyBuffer high = new KeyBuffer();
  private final int nextOrder;
  private final int lineItem;
  private final int quantity;
  private final int[] items = new int[LINES_MAX];
  private int threshold;
  private int found;

  StockLevel(TpccSession session, TpccRandom random, Home home) {
    super(session, true);
    this.random = random;
    this.home = home;
    this.batch = session.transaction.newPointBatch();
    this.scan = session.transaction.newRangeScan();
    this.nextOrder = tables.district.column("d_next_o_id");
    this.lineItem = tables.orderLine.column("ol_i_id");
    this.quantity = tables.stock.column("s_quantity");
  }

  @Override
  public void draw() {
    threshold = random.uniform(10, 20);
  }

  /** Returns the number of items with low stock in the last run. */
  int low() {
    return found;
  }

  @Override
  protected boolean run() {
    batch.clear();
    session.add(batch, tables.district, LockMode.READ, home.warehouse(), home.district());
    session.execute(batch);
    session.row(batch, 0, row);
    int next = (int) tables.district.layout().getLong(row.bytes, row.offset, nextOrder);
    int lines = readItems(next - ORDERS, next);
    Arrays.sort(items, 0, lines);
    found = countLow(lines);
    return true;
  }

  /** Reads the items of the lines of orders in [from, to); returns the number of lines. */
  private int readItems(int from, int to) {
    bound(low, from);
    bound(high, to);
    session.ok(scan.open(lineRange.between(tables.orderLine.primary(), low, high)));
    int count = 0;
    while (session.next(scan, row)) {
      items[count++] = (int) tables.orderLine.layout().getLong(row.bytes, row.offset, lineItem);
    }
    return count;
  }

  private void bound(KeyBuffer bound, int order) {
    KeyFormat format = tables.orderLine.keyFormat();
    bound.clear();
    format.appendLong(bound, 0, home.warehouse());
    format.appendLong(bound, 1, home.district());
    format.appendLong(bound, 2, order);
  }

  /** Counts the distinct items, which are sorted, whose stock is below the threshold. */
  private int countLow(int lines) {
    batch.clear();
    for (int i = 0; i < lines; i++) {
      if (i == 0 || items[i] != items[i - 1]) {
        session.add(batch, tables.stock, LockMode.READ, home.warehouse(), items[i]);
      }
    }
    session.execute(batch);
    int count = 0;
    for (int i = 0; i < batch.size(); i++) {
      session.row(batch, i, row);
      long left = tables.stock.layout().getLong(row.bytes, row.offset, quantity);
      count += left < threshold ? 1 : 0;
    }
    return count;
  }
}
