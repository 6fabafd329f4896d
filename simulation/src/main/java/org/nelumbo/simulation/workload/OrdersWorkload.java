package org.nelumbo.simulation.workload;

import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * The shape of TPC-C in one table: a warehouse with districts, orders with lines, new orders that
 * wait for their delivery, payments. The consistency conditions of TPC-C (clause 3.3.2, as far as
 * they apply to these rows) are checked by transactions that run concurrently with the others, and
 * at the end:
 *
 * <ol>
 *   <li>the balance of the warehouse is the sum of the payments of its districts;
 *   <li>a district's next order is the one after its last order, and after its last new order;
 *   <li>its new orders are without gaps;
 *   <li>it has as many lines as its orders state;
 *   <li>an order is either delivered or a new order, never both;
 *   <li>each order has as many lines as it states.
 * </ol>
 *
 * The meaning of VAL depends on the range of the id. Warehouse and payments: money; districts: next
 * order; orders: number of lines, negative once they are delivered; new orders, lines: the order.
 */
public final class OrdersWorkload implements Workload {
  private static final int LINES_MAX = 5;
  private static final long DISTRICT_SPAN = 1_000_000;
  private static final long ORDERS = 100_000;
  private static final long NEW_ORDERS = 200_000;
  private static final long LINES = 300_000;
  private static final long PAID = 1;

  private final WorkloadOptions options;
  private final int districts;

  public OrdersWorkload(WorkloadOptions options) {
    this.options = options;
    this.districts = Math.max(1, options.keys());
  }

  private static long district(int number) {
    return (number + 1L) * DISTRICT_SPAN;
  }

  @Override
  public void load(ClusterSession clusterSession) throws TransactionFailed {
    clusterSession.begin(options.isolation(), false);
    clusterSession.insert(0, 0, 0, "w");
    for (int i = 0; i < districts; i++) {
      clusterSession.insert(district(i), 1, 0, "d");
      clusterSession.insert(district(i) + PAID, 0, 0, "p");
    }
    clusterSession.commit();
  }

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    return new Terminal(clusterSession, random);
  }

  @Override
  public void check(ClusterSession clusterSession) throws TransactionFailed {
    new Terminal(clusterSession, new SimRandom(0)).checkAll(true);
  }

  private final class Terminal implements WorkloadClient {
    private final ClusterSession clusterSession;
    private final SimRandom random;

    Terminal(ClusterSession clusterSession, SimRandom random) {
      this.clusterSession = clusterSession;
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
      clusterSession.begin(options.isolation(), false);
      demand(clusterSession.read(district, true), "district", district);
      long order = clusterSession.value();
      demand(clusterSession.update(district, order + 1, 0, "d"), "district", district);
      int lines = 1 + random.nextInt(LINES_MAX);
      demand(clusterSession.insert(district + ORDERS + order, lines, 0, "o"), "order", order);
      demand(
          clusterSession.insert(district + NEW_ORDERS + order, order, 0, "n"), "new order", order);
      for (int line = 0; line < lines; line++) {
        long id = district + LINES + order * LINES_MAX + line;
        demand(clusterSession.insert(id, order, 0, "l"), "line", id);
      }
      if (random.nextInt(100) == 0) {
        clusterSession.abort(); // simulates an item that does not exist
      } else {
        clusterSession.commit();
      }
    }

    private void pay(long district) throws TransactionFailed {
      long amount = 1L + random.nextInt(5000);
      clusterSession.begin(options.isolation(), false);
      add(0, amount, "w");
      add(district + PAID, amount, "p");
      clusterSession.commit();
    }

    private void add(long id, long amount, String text) throws TransactionFailed {
      demand(clusterSession.read(id, true), "row", id);
      demand(clusterSession.update(id, clusterSession.value() + amount, 0, text), "row", id);
    }

    private void deliver(long district) throws TransactionFailed {
      clusterSession.begin(options.isolation(), false);
      long[] oldest = {0};
      clusterSession.scan(
          district + NEW_ORDERS,
          district + LINES - 1,
          (id, value, group) -> oldest[0] = oldest[0] == 0 ? value : oldest[0]);
      long order = oldest[0];
      // Under snapshot isolation another transaction may have delivered it in the meantime.
      if (order > 0 && clusterSession.delete(district + NEW_ORDERS + order)) {
        demand(clusterSession.read(district + ORDERS + order, true), "order", order);
        demand(clusterSession.value() > 0, "order that is not delivered", order);
        long lines = clusterSession.value();
        demand(clusterSession.update(district + ORDERS + order, -lines, 0, "o"), "order", order);
      }
      clusterSession.commit();
    }

    private void demand(boolean holds, String what, long which) {
      if (!holds) {
        throw new Violation("a transaction does not find its " + what + " id=" + which);
      }
    }

    void checkAll(boolean readOnly) throws TransactionFailed {
      clusterSession.begin(options.isolation(), readOnly);
      long paid = 0;
      for (int i = 0; i < districts; i++) {
        demand(clusterSession.read(district(i) + PAID, false), "payments", i);
        paid += clusterSession.value();
      }
      demand(clusterSession.read(0, false), "warehouse", 0);
      long warehouse = clusterSession.value();
      District district = new District(district(random.nextInt(districts)));
      district.read(clusterSession);
      clusterSession.commit();
      if (warehouse != paid) {
        throw new Violation("condition 1: warehouse=" + warehouse + " districts=" + paid);
      }
      district.check();
    }
  }

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

    void read(ClusterSession clusterSession) throws TransactionFailed {
      next = clusterSession.read(id, false) ? clusterSession.value() : 0;
      clusterSession.scan(id + ORDERS, id + NEW_ORDERS - 1, this::order);
      clusterSession.scan(id + NEW_ORDERS, id + LINES - 1, this::newOrder);
      clusterSession.scan(id + LINES, id + DISTRICT_SPAN - 1, this::line);
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
