package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.PaymentInput;

/**
 * Inserts a row into HISTORY. The table has no primary key; a hidden key column numbers its rows.
 */
final class HistoryRow {
  private final TpccSession session;
  private final NativeTable table;
  private final RowWriter writer;
  private final RowBuffer image = new RowBuffer();
  private final int hiddenKey;
  private final int customer;
  private final int customerDistrict;
  private final int customerWarehouse;
  private final int district;
  private final int warehouse;
  private final int date;
  private final int amount;
  private final int data;

  HistoryRow(TpccSession session) {
    this.session = session;
    this.table = session.tables.history;
    this.writer = table.newWriter();
    this.hiddenKey = table.numberedColumns()[0];
    this.customer = table.column("h_c_id");
    this.customerDistrict = table.column("h_c_d_id");
    this.customerWarehouse = table.column("h_c_w_id");
    this.district = table.column("h_d_id");
    this.warehouse = table.column("h_w_id");
    this.date = table.column("h_date");
    this.amount = table.column("h_amount");
    this.data = table.column("h_data");
  }

  void insert(Home home, PaymentInput input, int customerNumber, String text) {
    writer.begin();
    writer.setLong(hiddenKey, table.nextNumber(hiddenKey));
    writer.setLong(customer, customerNumber);
    writer.setLong(customerDistrict, input.customer().district());
    writer.setLong(customerWarehouse, input.customer().warehouse());
    writer.setLong(district, input.district());
    writer.setLong(warehouse, home.warehouse());
    writer.setLong(date, TpccSession.now());
    writer.setLong(amount, input.cents());
    writer.setObject(data, text);
    writer.finish(session.key, image);
    session.ok(session.transaction.insert(table.store(), session.key, image));
  }
}
