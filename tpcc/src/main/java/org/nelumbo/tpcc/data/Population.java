package org.nelumbo.tpcc.data;

/**
 * The number of rows of a warehouse, clause 4.3.3.
 *
 * @param name name in reports; only runs with {@code spec} are comparable with others
 * @param items rows of ITEM, and of STOCK for each warehouse
 * @param customersPerDistrict customers, and also orders, of a district
 * @param deliveredPerDistrict orders of a district that are delivered; later ones are not
 */
public record Population(
    String name, int items, int customersPerDistrict, int deliveredPerDistrict) {

  /** Districts of a warehouse. */
  public static final int DISTRICTS = 10;

  /** The population of the specification. */
  public static final Population SPEC = new Population("spec", 100_000, 3_000, 2_100);

  /** A small population for tests and for trying out; its results mean nothing. */
  public static final Population COMPACT = new Population("compact", 1_000, 300, 210);

  /** The population of the prototypes, for the reduced variant only. */
  public static final Population PROTOTYPES = new Population("prototypes", 10_000, 300, 210);

  /** Number of distinct last names, clause 4.3.2.3. */
  private static final int LAST_NAMES = 1_000;

  /** Returns the number of orders of a district after the load, which is one for each customer. */
  public int ordersPerDistrict() {
    return customersPerDistrict;
  }

  /** Returns the highest number of a last name in use; the lowest is 0. */
  public int lastNameMax() {
    return Math.min(LAST_NAMES, customersPerDistrict) - 1;
  }

  /**
   * Returns the number of rows of a warehouse without ITEM, with the average of ten lines per
   * order.
   */
  public long rowsPerWarehouse() {
    long perDistrict = 1 + 3L * customersPerDistrict + 10L * ordersPerDistrict();
    long newOrders = (long) ordersPerDistrict() - deliveredPerDistrict;
    return 1 + items + DISTRICTS * (perDistrict + newOrders);
  }
}
