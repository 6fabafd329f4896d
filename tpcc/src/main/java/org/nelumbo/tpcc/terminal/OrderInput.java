package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * The input of a user for a new order (clause 2.4.1). Lines are sorted by supplying warehouse and
 * item, which is the order in which their stock is read, so that two orders cannot wait for each
 * other in a cycle. Each line keeps the number under which it was entered.
 */
public final class OrderInput {
  /** Number of lines of the longest order. */
  public static final int LINES_MAX = 15;

  private static final int LINES_MIN = 5;

  private final TpccRandom random;
  private final Home home;
  private final int[] supplier = new int[LINES_MAX];
  private final int[] item = new int[LINES_MAX];
  private final int[] number = new int[LINES_MAX];
  private final int[] quantity = new int[LINES_MAX];
  private int district;
  private int customer;
  private int lines;
  private boolean allLocal;

  public OrderInput(TpccRandom random, Home home) {
    this.random = random;
    this.home = home;
  }

  /**
   * Draws an order. In the full benchmark, one in a hundred ends with an item that does not exist.
   */
  public void draw() {
    Population population = home.population();
    district = random.uniform(1, Population.DISTRICTS);
    customer = random.customer(population.customersPerDistrict());
    lines = random.uniform(LINES_MIN, LINES_MAX);
    boolean unusedItem = !home.compat() && random.uniform(1, 100) == 1;
    allLocal = true;
    for (int line = 0; line < lines; line++) {
      boolean unused = unusedItem && line == lines - 1;
      int lineItem = unused ? population.items() + 1 : random.item(population.items());
      int lineSupplier = drawSupplier();
      allLocal &= lineSupplier == home.warehouse();
      place(line, lineSupplier, lineItem, random.uniform(1, 10), unused);
    }
  }

  private int drawSupplier() {
    if (home.warehouses() == 1 || random.uniform(1, 100) > 1) {
      return home.warehouse();
    }
    return otherWarehouse(random, home);
  }

  /** Draws a warehouse other than the terminal's own. */
  static int otherWarehouse(TpccRandom random, Home home) {
    int other = random.uniform(1, home.warehouses() - 1);
    return other < home.warehouse() ? other : other + 1;
  }

  /** Inserts a line into the sorted lines before it. The unused item stays last. */
  private void place(int line, int lineSupplier, int lineItem, int lineQuantity, boolean last) {
    int at = line;
    while (!last && at > 0 && after(at - 1, lineSupplier, lineItem)) {
      supplier[at] = supplier[at - 1];
      item[at] = item[at - 1];
      number[at] = number[at - 1];
      quantity[at] = quantity[at - 1];
      at--;
    }
    supplier[at] = lineSupplier;
    item[at] = lineItem;
    number[at] = line + 1;
    quantity[at] = lineQuantity;
  }

  private boolean after(int line, int otherSupplier, int otherItem) {
    return supplier[line] != otherSupplier
        ? supplier[line] > otherSupplier
        : item[line] > otherItem;
  }

  public int district() {
    return district;
  }

  public int customer() {
    return customer;
  }

  public int lines() {
    return lines;
  }

  public boolean allLocal() {
    return allLocal;
  }

  public int supplier(int line) {
    return supplier[line];
  }

  public int item(int line) {
    return item[line];
  }

  public int number(int line) {
    return number[line];
  }

  public int quantity(int line) {
    return quantity[line];
  }

  /** Returns true if the line takes from the same row of stock as the line before. */
  public boolean sameStockAsBefore(int line) {
    return line > 0 && item[line] == item[line - 1] && supplier[line] == supplier[line - 1];
  }
}
