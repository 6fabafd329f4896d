package org.nelumbo.simulation.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.simulation.world.SimRandom;

/**
 * The shape of TPC-C: 92 of 100 transactions write. A warehouse is a home. Warehouses are smaller
 * than the specification demands; items, which never change, are left out.
 */
final class TpccMix implements Mix {
  private static final int WAREHOUSE = 0;
  private static final int DISTRICT = 1;
  private static final int CUSTOMER = 2;
  private static final int STOCK = 3;
  private static final int ORDERS = 4;
  private static final int NEW_ORDER = 5;
  private static final int ORDER_LINE = 6;
  private static final int HISTORY = 7;

  private static final int DISTRICTS = 10;
  private static final int CUSTOMERS = 100;
  private static final int ITEMS = 1000;
  private static final int LOADED_ORDERS = 20;
  private static final int LINES_MAX = 15;
  private static final int LINES_LEAST = 5;
  private static final int RECENT_ORDERS = 20;

  /**
   * Id range of a district's orders: the orders of a district are neighbours, as are the lines of
   * an order.
   */
  private static final long ORDERS_MAX = 1L << 24;

  private static final long LINES = 16;

  private final int warehouses;
  private long payments;

  TpccMix(int warehouses) {
    this.warehouses = warehouses;
  }

  @Override
  public List<Table> tables() {
    return List.of(
        new Table("WAREHOUSE", 60),
        new Table("DISTRICT", 70),
        new Table("CUSTOMER", 560),
        new Table("STOCK", 270),
        new Table("ORDERS", 10, false),
        new Table("NEW_ORDER", 1, false),
        new Table("ORDER_LINE", 35, false),
        new Table("HISTORY", 30, false));
  }

  @Override
  public int homes() {
    return warehouses;
  }

  private static long order(int district, long number) {
    return district * ORDERS_MAX + number;
  }

  /**
   * Loads a warehouse. The value of a district is its next order; the value of an order is the
   * number of its lines.
   */
  @Override
  public void load(MixSession session, long home) throws MixConflict {
    session.load(WAREHOUSE, home, 0, 0);
    for (int item = 0; item < ITEMS; item++) {
      session.load(STOCK, home, item, 0);
    }
    for (int district = 0; district < DISTRICTS; district++) {
      session.load(DISTRICT, home, district, LOADED_ORDERS);
      for (int customer = 0; customer < CUSTOMERS; customer++) {
        session.load(CUSTOMER, home, (long) district * CUSTOMERS + customer, 0);
      }
      for (long number = 0; number < LOADED_ORDERS; number++) {
        long order = order(district, number);
        session.load(ORDERS, home, order, LINES_LEAST);
        for (int line = 0; line < LINES_LEAST; line++) {
          session.load(ORDER_LINE, home, order * LINES + line, 0);
        }
        if (2 * number >= LOADED_ORDERS) {
          session.load(NEW_ORDER, home, order, 0);
        }
      }
    }
  }

  @Override
  public String transact(
      MixSession session, SimRandom random, LongSupplier homes, LongSupplier elsewhere)
      throws MixConflict {
    int drawn = random.nextInt(100);
    long home = homes.getAsLong();
    if (drawn < 45) {
      return newOrder(session, random, home, elsewhere);
    } else if (drawn < 88) {
      long ofCustomer = random.nextInt(100) < 15 ? elsewhere.getAsLong() : home;
      return payment(session, random, home, ofCustomer);
    } else if (drawn < 92) {
      return orderStatus(session, random, home);
    } else if (drawn < 96) {
      return delivery(session, home);
    }
    return stockLevel(session, random, home);
  }

  private static long customer(SimRandom random, int district) {
    return (long) district * CUSTOMERS + random.nextInt(CUSTOMERS);
  }

  private static String newOrder(
      MixSession session, SimRandom random, long home, LongSupplier elsewhere) throws MixConflict {
    int district = random.nextInt(DISTRICTS);
    int lines = LINES_LEAST + random.nextInt(LINES_MAX - LINES_LEAST + 1);
    session.begin(false);
    session.add(WAREHOUSE, home, 0, false);
    session.add(CUSTOMER, home, customer(random, district), false);
    int next = session.add(DISTRICT, home, district, true);
    List<Integer> stocks = new ArrayList<>();
    int first = random.nextInt(ITEMS);
    for (int line = 0; line < lines; line++) {
      long from = random.nextInt(100) == 0 ? elsewhere.getAsLong() : home;
      long item = (first + line * 61L) % ITEMS; // each line has a different item
      stocks.add(session.add(STOCK, from, item, true));
    }
    session.read();
    long number = session.value(next);
    session.set(next, number + 1);
    for (int stock : stocks) {
      session.set(stock, session.value(stock) - 1);
    }
    long order = order(district, number);
    session.insert(ORDERS, home, order, lines);
    session.insert(NEW_ORDER, home, order, 0);
    for (int line = 0; line < lines; line++) {
      session.insert(ORDER_LINE, home, order * LINES + line, 0);
    }
    session.flush();
    return "new order";
  }

  private String payment(MixSession session, SimRandom random, long home, long ofCustomer)
      throws MixConflict {
    int district = random.nextInt(DISTRICTS);
    session.begin(false);
    int[] rows = {
      session.add(WAREHOUSE, home, 0, true),
      session.add(DISTRICT, home, district, true),
      session.add(CUSTOMER, ofCustomer, customer(random, district), true)
    };
    session.read();
    session.set(rows[0], session.value(rows[0]) + 1);
    session.set(rows[1], session.value(rows[1])); // its value is the next order
    session.set(rows[2], session.value(rows[2]) - 1);
    session.insert(HISTORY, home, ++payments, 1);
    session.flush();
    return "payment";
  }

  private static String orderStatus(MixSession session, SimRandom random, long home)
      throws MixConflict {
    int district = random.nextInt(DISTRICTS);
    session.begin(true);
    session.add(CUSTOMER, home, customer(random, district), false);
    int next = session.add(DISTRICT, home, district, false);
    session.read();
    long order = order(district, session.value(next) - 1);
    session.next();
    session.add(ORDERS, home, order, false);
    session.read();
    session.scan(ORDER_LINE, home, order * LINES, order * LINES + LINES - 1, LINES_MAX, false);
    return "order status";
  }

  private static String delivery(MixSession session, long home) throws MixConflict {
    session.begin(false);
    List<Long> orders = new ArrayList<>();
    for (int district = 0; district < DISTRICTS; district++) {
      long from = order(district, 0);
      orders.addAll(session.scan(NEW_ORDER, home, from, from + ORDERS_MAX - 1, 1, true));
    }
    List<int[]> rows = new ArrayList<>();
    for (long order : orders) {
      long district = order / ORDERS_MAX;
      rows.add(
          new int[] {
            session.add(NEW_ORDER, home, order, true),
            session.add(ORDERS, home, order, true),
            session.add(CUSTOMER, home, district * CUSTOMERS + order % CUSTOMERS, true)
          });
    }
    session.read();
    List<Integer> lines = new ArrayList<>();
    for (int[] each : rows) {
      session.delete(each[0]);
      lines.add((int) session.value(each[1]));
      session.set(each[1], lines.getLast());
      session.set(each[2], session.value(each[2]) + 1);
    }
    session.next();
    List<Integer> delivered = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      for (int line = 0; line < lines.get(i); line++) {
        delivered.add(session.add(ORDER_LINE, home, orders.get(i) * LINES + line, true));
      }
    }
    session.read();
    for (int line : delivered) {
      session.set(line, 1);
    }
    return "delivery";
  }

  private static String stockLevel(MixSession session, SimRandom random, long home)
      throws MixConflict {
    int district = random.nextInt(DISTRICTS);
    session.begin(true);
    int next = session.add(DISTRICT, home, district, false);
    session.read();
    long last = order(district, session.value(next));
    int lines = RECENT_ORDERS * LINES_MAX;
    List<Long> found =
        session.scan(ORDER_LINE, home, (last - RECENT_ORDERS) * LINES, last * LINES, lines, false);
    session.next();
    for (long line : found) {
      session.add(STOCK, home, line * 61 % ITEMS, false);
    }
    session.read();
    return "stock level";
  }
}
