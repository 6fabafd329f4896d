package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession.Way;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.CustomerInput;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.OrderChoice;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * Order-Status, clause 2.6: shows the last order of a customer (in the compat variant any order).
 * Reads only.
 */
final class OrderStatus extends TpccTransaction {
  private static final Way LAST = new Way(false, LockMode.READ, 1);
  private static final Way LINES = new Way(true, LockMode.READ, OrderInput.LINES_MAX);

  private final TpccRandom random;
  private final Home home;
  private final CustomerInput input;
  private final CustomerFinder finder;
  private final OrderChoice orders;
  private final PointBatch batch;
  private final RangeScan orderScan;
  private final RangeScan lineScan;
  private final RowBuffer row = new RowBuffer();
  private final int balance;
  private final int orderNumber;
  private final int amount;
  private int anyOrder;
  private int linesShown;
  private long centsShown;

  OrderStatus(TpccSession session, TpccRandom random, Home home) {
    super(session, true);
    this.random = random;
    this.home = home;
    this.input = new CustomerInput(random, home);
    this.finder = new CustomerFinder(session);
    this.orders = new OrderChoice(random, home);
    this.batch = session.transaction.newPointBatch();
    this.orderScan = session.transaction.newRangeScan();
    this.lineScan = session.transaction.newRangeScan();
    this.balance = tables.customer.column("c_balance");
    this.orderNumber = tables.orders.column("o_id");
    this.amount = tables.orderLine.column("ol_amount");
  }

  @Override
  public void draw() {
    input.draw(home.warehouse(), random.uniform(1, Population.DISTRICTS));
    anyOrder = home.compat() ? orders.any() : 0;
  }

  /** Returns the number of lines of the order shown last. */
  int linesShown() {
    return linesShown;
  }

  /** Returns the sum of these lines and the customer's balance. */
  long centsShown() {
    return centsShown;
  }

  @Override
  protected boolean run() {
    int customer = finder.find(input);
    batch.clear();
    session.add(
        batch, tables.customer, LockMode.READ, input.warehouse(), input.district(), customer);
    if (home.compat()) {
      session.add(
          batch, tables.orders, LockMode.READ, input.warehouse(), input.district(), anyOrder);
    }
    session.execute(batch);
    session.row(batch, 0, row);
    centsShown = tables.customer.layout().getLong(row.bytes, row.offset, balance);
    linesShown = 0;
    if (home.compat()) {
      session.row(batch, 1, row);
      showLines((int) tables.orders.layout().getLong(row.bytes, row.offset, orderNumber));
    } else {
      showLastOrder(customer);
    }
    return true;
  }

  private void showLastOrder(int customer) {
    session.scan(
        orderScan,
        tables.ordersByCustomer,
        tables.ordersByCustomer.encoder().format(),
        input.warehouse(),
        input.district(),
        customer,
        LAST);
    if (session.next(orderScan, row)) {
      showLines((int) tables.orders.layout().getLong(row.bytes, row.offset, orderNumber));
    }
    orderScan.close();
  }

  private void showLines(int order) {
    session.scan(
        lineScan,
        tables.orderLine.primary(),
        tables.orderLine.keyFormat(),
        input.warehouse(),
        input.district(),
        order,
        LINES);
    while (session.next(lineScan, row)) {
      centsShown += tables.orderLine.layout().getLong(row.bytes, row.offset, amount);
      linesShown++;
    }
  }
}
