package org.nelumbo.sim.workload;

import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.TransactionFailed;
import org.nelumbo.sim.cluster.Violation;
import org.nelumbo.sim.world.SimRandom;

/**
 * The shape of TPC-C in one table: a warehouse with districts, orders with lines, new orders that
 * wait for their delivery, payments. Its consistency conditions (clause 3.3.2, those that can be
 * asked of these rows) are checked by transactions beside the others, and at the end:
 *
 * <ol>
 *   <li>the warehouse has what its districts have been paid;
 *   <li>a district's next order is the one after its last order, and after its last new order;
 *   <li>its new orders are without gaps;
 *   <li>it has as many lines as its orders say;
 *   <li>an order is delivered, or it is a new order, and never both;
 *   <li>each order has as many lines as it says.
 * </ol>
 *
 * VAL of a row, by the range its id is in: warehouse and payments: money; districts: next order;
 * orders: number of lines, negative once they are delivered; new orders, lines: the order.
 */
public final class Orders implements Workload {
  private static final int LINES_MAX = 5;
  private static final long DISTRICT_SPAN = 1_000_000;
  private static final long ORDERS = 100_000;
  private static final long NEW_ORDERS = 200_000;
  private static final long LINES = 300_000;
  private static final long PAID = 1;

  private final WorkloadOptions options;
  private final int districts;

  public Orders(WorkloadOptions options) {
    this.options = options;
    this.districts = Math.max(1, options.keys());
  }

  private static long district(int number) {
    return (number + 1L) * DISTRICT_SPAN;
  }

  @Override
  public void load(Rows rows) throws TransactionFailed {
    rows.begin(options.isolation(), false);
    rows.insert(0, 0, 0, "w");
    for (int i = 0; i < districts; i++) {
      rows.insert(district(i), 1, 0, "d");
      rows.insert(district(i) + PAID, 0, 0, "p");
    }
    rows.commit();
  }

  @Override
  public Client newClient(int index, Rows rows, SimRandom random) {
    return new Terminal(rows, random);
  }

  @Override
  public void check(Rows rows) throws TransactionFailed {
    new Terminal(rows, new SimRandom(0)).checkAll(true);
  }

  private final class Terminal implements Client {
    private final Rows rows;
    private final SimRandom random;

    Terminal(Rows rows, SimRandom random) {
      this.rows = rows;
      this.random = random;
    }

    @Override
    public void transact() throws TransactionFailed {
      long district = district(random.nextInt(districts));
      int kind = random.nextInt(100);
      if (kind < 45) {
        newOrder(district);
      } else if (kind < 80) {
        pay(district);
      } else if (kind < 92) {
        deliver(district);
      } else {
        checkAll(random.nextInt(2) == 0);
      }
    }

    private void newOrder(long district) throws TransactionFailed {
      rows.begin(options.isolation(), false);
      demand(rows.read(district, true), "district", district);
      long order = rows.value();
      demand(rows.update(district, order + 1, 0, "d"), "district", district);
      int lines = 1 + random.nextInt(LINES_MAX);
      demand(rows.insert(district + ORDERS + order, lines, 0, "o"), "order", order);
      demand(rows.insert(district + NEW_ORDERS + order, order, 0, "n"), "new order", order);
      for (int line = 0; line < lines; line++) {
        long id = district + LINES + order * LINES_MAX + line;
        demand(rows.insert(id, order, 0, "l"), "line", id);
      }
      if (random.nextInt(100) == 0) {
        rows.abort(); // an item that is not there
      } else {
        rows.commit();
      }
    }

    private void pay(long district) throws TransactionFailed {
      long amount = 1L + random.nextInt(5000);
      rows.begin(options.isolation(), false);
      add(0, amount, "w");
      add(district + PAID, amount, "p");
      rows.commit();
    }

    private void add(long id, long amount, String text) throws TransactionFailed {
      demand(rows.read(id, true), "row", id);
      demand(rows.update(id, rows.value() + amount, 0, text), "row", id);
    }

    /** Delivers the oldest new order. */
    private void deliver(long district) throws TransactionFailed {
      rows.begin(options.isolation(), false);
      long[] oldest = {0};
      rows.scan(
          district + NEW_ORDERS,
          district + LINES - 1,
          (id, value, group) -> oldest[0] = oldest[0] == 0 ? value : oldest[0]);
      long order = oldest[0];
      // Under snapshot isolation somebody else may have delivered it since.
      if (order > 0 && rows.delete(district + NEW_ORDERS + order)) {
        demand(rows.read(district + ORDERS + order, true), "order", order);
        demand(rows.value() > 0, "order that is not delivered", order);
        long lines = rows.value();
        demand(rows.update(district + ORDERS + order, -lines, 0, "o"), "order", order);
      }
      rows.commit();
    }

    private void demand(boolean holds, String what, long which) {
      if (!holds) {
        throw new Violation("a transaction does not find its " + what + " id=" + which);
      }
    }

    void checkAll(boolean readOnly) throws TransactionFailed {
      rows.begin(options.isolation(), readOnly);
      long paid = 0;
      for (int i = 0; i < districts; i++) {
        demand(rows.read(district(i) + PAID, false), "payments", i);
        paid += rows.value();
      }
      demand(rows.read(0, false), "warehouse", 0);
      long warehouse = rows.value();
      District district = new District(district(random.nextInt(districts)));
      district.read(rows);
      rows.commit();
      if (warehouse != paid) {
        throw new Violation("condition 1: warehouse=" + warehouse + " districts=" + paid);
      }
      district.check();
    }
  }

  /** What one transaction has seen of a district. */
  private static final class District {
    private final long id;
    private long next;
    private long orders;
    private long lastOrder;
    private long undelivered;
    private long linesWanted;
    private long newOrders;
    private long firstNew;
    private long lastNew;
    private long lines;
    private long lineOrders;
    private long lastLineOrder;

    District(long id) {
      this.id = id;
    }

    void read(Rows rows) throws TransactionFailed {
      next = rows.read(id, false) ? rows.value() : 0;
      rows.scan(id + ORDERS, id + NEW_ORDERS - 1, this::order);
      rows.scan(id + NEW_ORDERS, id + LINES - 1, this::newOrder);
      rows.scan(id + LINES, id + DISTRICT_SPAN - 1, this::line);
    }

    private void order(long row, long value, long group) {
      orders++;
      lastOrder = row - id - ORDERS;
      linesWanted += Math.abs(value);
      undelivered += value > 0 ? 1 : 0;
    }

    private void newOrder(long row, long value, long group) {
      newOrders++;
      firstNew = newOrders == 1 ? value : firstNew;
      lastNew = value;
    }

    private void line(long row, long value, long group) {
      lines++;
      lineOrders += value != lastLineOrder ? 1 : 0;
      lastLineOrder = value;
    }

    void check() {
      require(2, lastOrder == next - 1 && orders == lastOrder);
      require(2, newOrders == 0 || lastNew == next - 1);
      require(3, newOrders == 0 || lastNew - firstNew + 1 == newOrders);
      require(4, lines == linesWanted);
      require(5, undelivered == newOrders);
      require(6, lineOrders == orders);
    }

    private void require(int condition, boolean holds) {
      if (!holds) {
        throw new Violation("condition " + condition + " does not hold: " + this);
      }
    }

    @Override
    public String toString() {
      return "next="
          + next
          + " orders="
          + orders
          + " lastOrder="
          + lastOrder
          + " undelivered="
          + undelivered
          + " newOrders="
          + newOrders
          + " firstNew="
          + firstNew
          + " lastNew="
          + lastNew
          + " lines="
          + lines
          + " linesWanted="
          + linesWanted
          + " lineOrders="
          + lineOrders;
    }
  }
}
