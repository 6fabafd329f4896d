package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * New-Order, clause 2.4. All keys to read are known in advance, so they are read in one batch. An
 * order with an unused item is entered up to that item and then rolled back.
 */
final class NewOrder extends TpccTransaction {
  /** Quantity that is added to stock that would otherwise fall below the reserve. */
  private static final int REFILL = 91;

  private static final int RESERVE = 10;

  /** Unit of taxes and discount: ten-thousandths. */
  private static final double RATE_UNIT = 10_000;

  private final Home home;
  private final OrderInput input;
  private final PointBatch batch;
  private final int[] items = new int[OrderInput.LINES_MAX];
  private final int[] stocks = new int[OrderInput.LINES_MAX];
  private final RowBuffer row = new RowBuffer();
  private final RowWriter districtWriter;
  private final RowWriter stockWriter;
  private final OrderRows rows;

  private final int warehouseTax;
  private final int districtTax;
  private final int nextOrder;
  private final int discount;
  private final int price;
  private final int quantity;
  private final int ytd;
  private final int orderCount;
  private final int remoteCount;
  private final int[] distInfo = new int[Population.DISTRICTS + 1];

  private long totalCents;

  NewOrder(TpccSession session, TpccRandom random, Home home) {
    super(session, false);
    this.home = home;
    this.input = new OrderInput(random, home);
    this.batch = session.transaction.newPointBatch();
    this.districtWriter = tables.district.newWriter();
    this.stockWriter = tables.stock.newWriter();
    this.rows = new OrderRows(session);
    this.warehouseTax = tables.warehouse.column("w_tax");
    this.districtTax = tables.district.column("d_tax");
    this.nextOrder = tables.district.column("d_next_o_id");
    this.discount = tables.customer.column("c_discount");
    this.price = tables.item.column("i_price");
    this.quantity = tables.stock.column("s_quantity");
    this.ytd = tables.stock.column("s_ytd");
    this.orderCount = tables.stock.column("s_order_cnt");
    this.remoteCount = tables.stock.column("s_remote_cnt");
    for (int i = 1; i <= Population.DISTRICTS; i++) {
      distInfo[i] = tables.stock.column("s_dist_" + (i < 10 ? "0" : "") + i);
    }
  }

  @Override
  public void draw() {
    input.draw();
  }

  /** Returns the total that the customer has to pay for the last order entered. */
  long totalCents() {
    return totalCents;
  }

  @Override
  protected boolean run() {
    batch.clear();
    int warehouse = session.add(batch, tables.warehouse, LockMode.READ, home.warehouse());
    int district =
        session.add(batch, tables.district, LockMode.WRITE, home.warehouse(), input.district());
    int customer =
        session.add(
            batch,
            tables.customer,
            LockMode.READ,
            home.warehouse(),
            input.district(),
            input.customer());
    addLines();
    session.execute(batch);

    double rate = 1 - number(tables.customer.layout(), customer, discount) / RATE_UNIT;
    long tax =
        number(tables.warehouse.layout(), warehouse, warehouseTax)
            + number(tables.district.layout(), district, districtTax);
    rows.order(takeOrderNumber(district), home.warehouse(), input);
    long cents = enterLines();
    rows.insert();
    if (cents < 0) {
      return false;
    }
    totalCents = Math.round(cents * rate * (1 + tax / RATE_UNIT));
    return true;
  }

  private void addLines() {
    for (int i = 0; i < input.lines(); i++) {
      items[i] = session.add(batch, tables.item, LockMode.READ, input.item(i));
    }
    for (int i = 0; i < input.lines(); i++) {
      stocks[i] =
          input.sameStockAsBefore(i)
              ? stocks[i - 1]
              : session.add(batch, tables.stock, LockMode.WRITE, input.supplier(i), input.item(i));
    }
  }

  /** Reads the row of an index of the batch, and returns a column of it. */
  private long number(RowLayout layout, int index, int column) {
    session.row(batch, index, row);
    return layout.getLong(row.bytes, row.offset, column);
  }

  private int takeOrderNumber(int district) {
    int number = (int) number(tables.district.layout(), district, nextOrder);
    districtWriter.beginFrom(row.bytes, row.offset, row.length);
    districtWriter.setLong(nextOrder, number + 1);
    districtWriter.finish(session.key, image);
    session.ok(batch.update(district, image));
    return number;
  }

  /**
   * Enters the lines; returns their sum, or -1 if an item does not exist. Lines before it are
   * entered nevertheless.
   */
  private long enterLines() {
    long sum = 0;
    for (int i = 0; i < input.lines(); ) {
      int end = i + 1;
      while (end < input.lines() && input.sameStockAsBefore(end)) {
        end++;
      }
      if (!batch.found(items[i])) {
        return -1;
      }
      long cents = number(tables.item.layout(), items[i], price);
      sum += takeFromStock(i, end, cents);
      i = end;
    }
    return sum;
  }

  /**
   * Enters the lines from {@code from} (inclusive) to {@code to} (exclusive), which take from one
   * row of stock.
   */
  private long takeFromStock(int from, int to, long priceCents) {
    RowLayout layout = tables.stock.layout();
    long left = number(layout, stocks[from], quantity);
    String info = layout.getString(row.bytes, row.offset, distInfo[input.district()]);
    long taken = 0;
    for (int i = from; i < to; i++) {
      int wanted = input.quantity(i);
      taken += wanted;
      left -= wanted;
      if (left < RESERVE) {
        left += REFILL;
      }
      rows.line(i, wanted * priceCents, info);
    }
    int count = to - from;
    int remote = input.supplier(from) == home.warehouse() ? 0 : count;
    stockWriter.beginFrom(row.bytes, row.offset, row.length);
    stockWriter.setLong(quantity, left);
    stockWriter.setLong(ytd, layout.getLong(row.bytes, row.offset, ytd) + taken);
    stockWriter.setLong(orderCount, layout.getLong(row.bytes, row.offset, orderCount) + count);
    stockWriter.setLong(remoteCount, layout.getLong(row.bytes, row.offset, remoteCount) + remote);
    stockWriter.finish(session.key, image);
    session.ok(batch.update(stocks[from], image));
    return taken * priceCents;
  }
}
