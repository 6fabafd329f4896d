package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.table.IndexStore;

/** The nine tables and two secondary indexes on a native session. */
final class Tables {
  final NativeTable warehouse;
  final NativeTable district;
  final NativeTable customer;
  final NativeTable history;
  final NativeTable orders;
  final NativeTable newOrder;
  final NativeTable item;
  final NativeTable stock;
  final NativeTable orderLine;
  final IndexStore customerByName;
  final IndexStore ordersByCustomer;

  Tables(NativeApiSession session) {
    this.warehouse = session.table("warehouse");
    this.district = session.table("district");
    this.customer = session.table("customer");
    this.history = session.table("history");
    this.orders = session.table("orders");
    this.newOrder = session.table("new_order");
    this.item = session.table("item");
    this.stock = session.table("stock");
    this.orderLine = session.table("order_line");
    this.customerByName = customer.index("customer_by_name");
    this.ordersByCustomer = orders.index("orders_by_customer");
  }
}
