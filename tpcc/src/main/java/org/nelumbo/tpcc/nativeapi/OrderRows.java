package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.tpcc.terminal.OrderInput;

/** The rows of a new order in ORDERS, NEW_ORDER and ORDER_LINE, which are inserted as one batch. */
final class OrderRows {
  private final TpccSession session;
  private final InsertBatch batch;
  private final RowBuffer image = new RowBuffer();

  private final Inserted orders;
  private final Inserted newOrders;
  private final Inserted lines;

  private OrderInput input;
  private int number;
  private int warehouse;

  OrderRows(TpccSession session) {
    this.session = session;
    this.batch = session.transaction.newInsertBatch();
    Tables tables = session.tables;
    this.orders =
        new Inserted(
            tables.orders,
            "o_w_id",
            "o_d_id",
            "o_id",
            "o_c_id",
            "o_entry_d",
            "o_ol_cnt",
            "o_all_local");
    this.newOrders = new Inserted(tables.newOrder, "no_w_id", "no_d_id", "no_o_id");
    this.lines =
        new Inserted(
            tables.orderLine,
            "ol_w_id",
            "ol_d_id",
            "ol_o_id",
            "ol_number",
            "ol_i_id",
            "ol_supply_w_id",
            "ol_quantity",
            "ol_amount",
            "ol_dist_info");
  }

  /** A table and the columns that get values, in the order of the values. */
  private record Inserted(NativeTable table, RowWriter writer, int[] columns) {
    Inserted(NativeTable table, String... names) {
      this(table, table.newWriter(), new int[names.length]);
      for (int i = 0; i < names.length; i++) {
        columns[i] = table.column(names[i]);
      }
    }

    void set(int position, long raw) {
      writer.setLong(columns[position], raw);
    }
  }

  /** Begins an order that is not yet delivered. Its lines follow. */
  void order(int orderNumber, int orderWarehouse, OrderInput orderInput) {
    input = orderInput;
    number = orderNumber;
    warehouse = orderWarehouse;
    batch.clear();
    begin(orders);
    orders.set(3, input.customer());
    orders.set(4, TpccSession.now());
    orders.set(5, input.lines());
    orders.set(6, input.allLocal() ? 1 : 0);
    add(orders);
    begin(newOrders);
    add(newOrders);
  }

  /** Adds line {@code i} of the input. */
  void line(int i, long cents, String distInfo) {
    begin(lines);
    lines.set(3, input.number(i));
    lines.set(4, input.item(i));
    lines.set(5, input.supplier(i));
    lines.set(6, input.quantity(i));
    lines.set(7, cents);
    lines.writer.setObject(lines.columns[8], distInfo);
    add(lines);
  }

  /** Inserts the order and the lines added to it. */
  void insert() {
    session.ok(batch.execute());
  }

  /** Begins a row. The keys of all three tables begin with warehouse, district and order. */
  private void begin(Inserted into) {
    into.writer.begin();
    into.set(0, warehouse);
    into.set(1, input.district());
    into.set(2, number);
  }

  private void add(Inserted into) {
    into.writer.finish(session.key, image);
    batch.add(into.table.store(), session.key, image);
  }
}
