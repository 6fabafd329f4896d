package org.nelumbo.tpcc.load;

import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/** Fills ORDERS, ORDER_LINE and NEW_ORDER of a district, clause 4.3.3.1. */
final class OrderLoader implements AutoCloseable {
  private static final int QUANTITY = 5;

  private final Population population;
  private final TpccRandom random;
  private final int warehouse;
  private final Timestamp now;
  private final BatchInsert orders;
  private final BatchInsert lines;
  private final BatchInsert newOrders;

  OrderLoader(
      Inserts inserts, Population population, TpccRandom random, int warehouse, Timestamp now)
      throws SQLException {
    this.population = population;
    this.random = random;
    this.warehouse = warehouse;
    this.now = now;
    this.orders = inserts.into("orders", 8);
    this.lines = inserts.into("order_line", 10);
    this.newOrders = inserts.into("new_order", 3);
  }

  /** Loads one order for each customer, in random order of the customers. */
  void load(int district) throws SQLException {
    int[] customers = random.permutation(population.ordersPerDistrict());
    for (int order = 1; order <= customers.length; order++) {
      boolean delivered = order <= population.deliveredPerDistrict();
      int lineCount = random.uniform(5, 15);
      Object carrier = delivered ? (Object) random.uniform(1, 10) : JDBCType.INTEGER;
      orders.add(order, district, warehouse, customers[order - 1], now, carrier, lineCount, 1);
      for (int number = 1; number <= lineCount; number++) {
        addLine(district, order, number, delivered);
      }
      if (!delivered) {
        newOrders.add(order, district, warehouse);
      }
    }
  }

  private void addLine(int district, int order, int number, boolean delivered) throws SQLException {
    lines.add(
        order,
        district,
        warehouse,
        number,
        random.uniform(1, population.items()),
        warehouse,
        delivered ? now : JDBCType.TIMESTAMP,
        QUANTITY,
        Money.ofCents(delivered ? 0 : random.uniform(1, 999_999)),
        random.text(24, 24));
  }

  @Override
  public void close() throws SQLException {
    orders.close();
    lines.close();
    newOrders.close();
  }
}
