package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession.Way;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.OrderChoice;

/**
 * Delivery, clause 2.7: delivers the oldest order of each district (in the compat variant any
 * order), all in one transaction. A district without an order is skipped. The orders of all
 * districts are read in one batch, their lines and customers in another.
 */
final class Delivery extends TpccTransaction {
  private static final Way OLDEST = new Way(true, LockMode.WRITE, 1);
  private static final int NONE = -1;

  private final TpccRandom random;
  private final Home home;
  private final OrderChoice choice;
  private final RangeScan scan;
  private final PointBatch chosen;
  private final PointBatch orders;
  private final PointBatch lines;
  private final RowBuffer row = new RowBuffer();
  private final RowWriter orderWriter;
  private final RowWriter lineWriter;
  private final RowWriter customerWriter;
  private final int newOrderNumber;
  private final int orderCarrier;
  private final int orderCustomer;
  private final int orderLines;
  private final int lineDelivered;
  private final int lineAmount;
  private final int customerBalance;
  private final int customerDeliveries;

  private final int[] choices = new int[Population.DISTRICTS + 1];
  private final int[] numbers = new int[Population.DISTRICTS + 1];
  private final int[] taken = new int[Population.DISTRICTS + 1];
  private final int[] carried = new int[Population.DISTRICTS + 1];
  private final int[] firstLines = new int[Population.DISTRICTS + 1];
  private final int[] customers = new int[Population.DISTRICTS + 1];
  private int carrier;
  private int delivered;

  Delivery(TpccSession session, TpccRandom random, Home home) {
    super(session, false);
    this.random = random;
    this.home = home;
    this.choice = new OrderChoice(random, home);
    this.chosen = session.transaction.newPointBatch();
    this.scan = session.transaction.newRangeScan();
    this.orders = session.transaction.newPointBatch();
    this.lines = session.transaction.newPointBatch();
    this.orderWriter = tables.orders.newWriter();
    this.lineWriter = tables.orderLine.newWriter();
    this.customerWriter = tables.customer.newWriter();
    this.newOrderNumber = tables.newOrder.column("no_o_id");
    this.orderCarrier = tables.orders.column("o_carrier_id");
    this.orderCustomer = tables.orders.column("o_c_id");
    this.orderLines = tables.orders.column("o_ol_cnt");
    this.lineDelivered = tables.orderLine.column("ol_delivery_d");
    this.lineAmount = tables.orderLine.column("ol_amount");
    this.customerBalance = tables.customer.column("c_balance");
    this.customerDeliveries = tables.customer.column("c_delivery_cnt");
  }

  @Override
  public void draw() {
    carrier = random.uniform(1, 10);
    for (int district = 1; home.compat() && district <= Population.DISTRICTS; district++) {
      choices[district] = choice.undelivered();
    }
  }

  /** Returns the number of orders delivered last, which is below ten if districts had none. */
  int delivered() {
    return delivered;
  }

  @Override
  protected boolean run() {
    if (home.compat()) {
      findChosenOrders();
    } else {
      findOldestOrders();
    }
    askForOrders();
    if (delivered > 0) {
      takeOrders();
      deliverLines();
    }
    return true;
  }

  private void findOldestOrders() {
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      numbers[district] = oldest(district);
    }
  }

  private void findChosenOrders() {
    chosen.clear();
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      int warehouse = home.warehouse();
      session.add(chosen, tables.newOrder, LockMode.WRITE, warehouse, district, choices[district]);
    }
    session.execute(chosen);
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      numbers[district] = chosen.found(district - 1) ? choices[district] : NONE;
    }
  }

  private void askForOrders() {
    orders.clear();
    delivered = 0;
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      if (numbers[district] != NONE) {
        delivered++;
        taken[district] = add(orders, tables.newOrder, district);
        carried[district] = add(orders, tables.orders, district);
      }
    }
  }

  private int add(PointBatch batch, org.nelumbo.database.NativeTable table, int district) {
    return session.add(batch, table, LockMode.WRITE, home.warehouse(), district, numbers[district]);
  }

  private int oldest(int district) {
    session.scan(
        scan,
        tables.newOrder.primary(),
        tables.newOrder.keyFormat(),
        home.warehouse(),
        district,
        OLDEST);
    boolean found = session.next(scan, row);
    int number =
        found
            ? (int) tables.newOrder.layout().getLong(row.bytes, row.offset, newOrderNumber)
            : NONE;
    scan.close();
    return number;
  }

  /**
   * Deletes the orders from NEW_ORDER, sets their carrier, and adds their lines and customers to
   * the batch.
   */
  private void takeOrders() {
    session.execute(orders);
    lines.clear();
    RowLayout layout = tables.orders.layout();
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      if (numbers[district] == NONE) {
        continue;
      }
      session.ok(orders.delete(taken[district]));
      session.row(orders, carried[district], row);
      int customer = (int) layout.getLong(row.bytes, row.offset, orderCustomer);
      int count = (int) layout.getLong(row.bytes, row.offset, orderLines);
      orderWriter.beginFrom(row.bytes, row.offset, row.length);
      orderWriter.setLong(orderCarrier, carrier);
      orderWriter.finish(session.key, image);
      session.ok(orders.update(carried[district], image));
      addLines(district, count);
      customers[district] =
          session.add(lines, tables.customer, LockMode.WRITE, home.warehouse(), district, customer);
    }
  }

  private void addLines(int district, int count) {
    firstLines[district] = lines.size();
    for (int line = 1; line <= count; line++) {
      session.add(
          lines,
          tables.orderLine,
          LockMode.WRITE,
          home.warehouse(),
          district,
          numbers[district],
          line);
    }
  }

  private void deliverLines() {
    session.execute(lines);
    long now = TpccSession.now();
    for (int district = 1; district <= Population.DISTRICTS; district++) {
      if (numbers[district] == NONE) {
        continue;
      }
      long cents = 0;
      for (int i = firstLines[district]; i < customers[district]; i++) {
        cents += deliver(i, now);
      }
      charge(customers[district], cents);
    }
  }

  /** Sets the delivery date of a line; returns its amount. */
  private long deliver(int index, long now) {
    session.row(lines, index, row);
    lineWriter.beginFrom(row.bytes, row.offset, row.length);
    lineWriter.setLong(lineDelivered, now);
    lineWriter.finish(session.key, image);
    session.ok(lines.update(index, image));
    return tables.orderLine.layout().getLong(row.bytes, row.offset, lineAmount);
  }

  private void charge(int index, long cents) {
    session.row(lines, index, row);
    RowLayout layout = tables.customer.layout();
    customerWriter.beginFrom(row.bytes, row.offset, row.length);
    customerWriter.setLong(
        customerBalance, layout.getLong(row.bytes, row.offset, customerBalance) + cents);
    customerWriter.setLong(
        customerDeliveries, layout.getLong(row.bytes, row.offset, customerDeliveries) + 1);
    customerWriter.finish(session.key, image);
    session.ok(lines.update(index, image));
  }
}
