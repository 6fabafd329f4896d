package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.terminal.CustomerInput;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.PaymentInput;

/**
 * Payment, clause 2.5: a customer pays to the warehouse and the district. Warehouse, district and
 * customer are read in one batch, after the customer has been found if the request is by name.
 */
final class Payment extends TpccTransaction {
  private static final int DATA_LENGTH_MAX = 500;
  private static final int CENTS = 100;

  private final Home home;
  private final PaymentInput input;
  private final CustomerFinder finder;
  private final PointBatch batch;
  private final RowBuffer row = new RowBuffer();
  private final StringBuilder text = new StringBuilder(2 * DATA_LENGTH_MAX);
  private final HistoryRow history;

  private final RowWriter warehouseWriter;
  private final RowWriter districtWriter;
  private final RowWriter customerWriter;
  private final int warehouseYtd;
  private final int warehouseName;
  private final int districtYtd;
  private final int districtName;
  private final int balance;
  private final int ytdPayment;
  private final int paymentCount;
  private final int credit;
  private final int data;

  Payment(TpccSession session, TpccRandom random, Home home) {
    super(session, false);
    this.home = home;
    this.input = new PaymentInput(random, home);
    this.finder = new CustomerFinder(session);
    this.batch = session.transaction.newPointBatch();
    this.history = new HistoryRow(session);
    this.warehouseWriter = tables.warehouse.newWriter();
    this.districtWriter = tables.district.newWriter();
    this.customerWriter = tables.customer.newWriter();
    this.warehouseYtd = tables.warehouse.column("w_ytd");
    this.warehouseName = tables.warehouse.column("w_name");
    this.districtYtd = tables.district.column("d_ytd");
    this.districtName = tables.district.column("d_name");
    this.balance = tables.customer.column("c_balance");
    this.ytdPayment = tables.customer.column("c_ytd_payment");
    this.paymentCount = tables.customer.column("c_payment_cnt");
    this.credit = tables.customer.column("c_credit");
    this.data = tables.customer.column("c_data");
  }

  @Override
  public void draw() {
    input.draw();
  }

  @Override
  protected boolean run() {
    CustomerInput who = input.customer();
    int number = finder.find(who);
    batch.clear();
    int warehouse = session.add(batch, tables.warehouse, LockMode.WRITE, home.warehouse());
    int district =
        session.add(batch, tables.district, LockMode.WRITE, home.warehouse(), input.district());
    int customer =
        session.add(
            batch, tables.customer, LockMode.WRITE, who.warehouse(), who.district(), number);
    session.execute(batch);
    String placeOne =
        receive(tables.warehouse, warehouseWriter, warehouse, warehouseYtd, warehouseName);
    String placeTwo = receive(tables.district, districtWriter, district, districtYtd, districtName);
    pay(customer, number);
    history.insert(home, input, number, placeOne + "    " + placeTwo);
    return true;
  }

  /** Adds the amount to a warehouse or district; returns its name. */
  private String receive(NativeTable table, RowWriter writer, int index, int ytd, int name) {
    session.row(batch, index, row);
    writer.beginFrom(row.bytes, row.offset, row.length);
    add(writer, table.layout(), ytd, input.cents());
    writer.finish(session.key, image);
    session.ok(batch.update(index, image));
    return table.layout().getString(row.bytes, row.offset, name);
  }

  private void add(RowWriter writer, RowLayout layout, int column, long raw) {
    writer.setLong(column, layout.getLong(row.bytes, row.offset, column) + raw);
  }

  private void pay(int index, int number) {
    session.row(batch, index, row);
    RowLayout layout = tables.customer.layout();
    customerWriter.beginFrom(row.bytes, row.offset, row.length);
    add(customerWriter, layout, balance, -input.cents());
    add(customerWriter, layout, ytdPayment, input.cents());
    add(customerWriter, layout, paymentCount, 1);
    if (layout.getString(row.bytes, row.offset, credit).startsWith("BC")) {
      String old = layout.getString(row.bytes, row.offset, data);
      customerWriter.setObject(data, dataWithPayment(number, old));
    }
    customerWriter.finish(session.key, image);
    session.ok(batch.update(index, image));
  }

  private String dataWithPayment(int number, String old) {
    text.setLength(0);
    text.append(number).append(' ').append(input.customer().district()).append(' ');
    text.append(input.customer().warehouse()).append(' ').append(input.district()).append(' ');
    text.append(home.warehouse()).append(' ').append(input.cents() / CENTS).append('.');
    int cents = input.cents() % CENTS;
    text.append(cents < 10 ? "0" : "").append(cents).append('|').append(old);
    return text.substring(0, Math.min(text.length(), DATA_LENGTH_MAX));
  }
}
