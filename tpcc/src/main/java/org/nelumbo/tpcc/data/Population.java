package org.nelumbo.tpcc.data;

/**
 * The number of rows of a warehouse, clause 4.3.3.
 *
 * @param name as reported: only {@code spec} may be compared with anything
 * @param items rows of ITEM, and of STOCK for each warehouse
 * @param customersPerDistrict customers, and also orders, of a district
 * @param deliveredPerDistrict orders of a district that are delivered; the later ones are not
 */
public record Population(
    String name, int items, int customersPerDistrict, int deliveredPerDistrict) {

  /** Districts of a warehouse. */
  public static final int DISTRICTS = 10;

  /** The population of the specification. */
  public static final Population SPEC = new Population("spec", 100_000, 3_000, 2_100);

  /** A small one for tests and for a first look; its numbers mean nothing. */
  public static final Population COMPACT = new Population("compact", 1_000, 300, 210);

  /** That of the prototypes, for the reduced variant only. */
  public static final Population PROTOTYPES = new Population("prototypes", 10_000, 300, 210);

  /** Distinct last names there are, clause 4.3.2.3. */
  private static final int LAST_NAMES = 1_000;

  /** Orders of a district after the load: one for each customer. */
  public int ordersPerDistrict() {
    return customersPerDistrict;
  }

  /** Last names in use run from number 0 to this one. */
  public int lastNameMax() {
    return Math.min(LAST_NAMES, customersPerDistrict) - 1;
  }

  /** Rows of a warehouse, with the average of ten lines an order; without ITEM. */
  public long rowsPerWarehouse() {
    long perDistrict = 1 + 3L * customersPerDistrict + 10L * ordersPerDistrict();
    long newOrders = (long) ordersPerDistrict() - deliveredPerDistrict;
    return 1 + items + DISTRICTS * (perDistrict + newOrders);
  }
}
