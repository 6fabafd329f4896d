package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.LastNames;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * The customer that a user of Payment or Order-Status requests: by last name in 60 of 100 cases,
 * otherwise by number (clauses 2.5.1.2 and 2.6.1.2). The prototypes always request by number.
 */
public final class CustomerInput {
  private static final int BY_NAME_PERCENT = 60;

  private final TpccRandom random;
  private final Population population;
  private final int byNamePercent;
  private int warehouse;
  private int district;
  private int number;
  private String lastName;

  public CustomerInput(TpccRandom random, Home home) {
    this.random = random;
    this.population = home.population();
    this.byNamePercent = home.compat() ? 0 : BY_NAME_PERCENT;
  }

  /** Draws a customer of that district. */
  public void draw(int customerWarehouse, int customerDistrict) {
    warehouse = customerWarehouse;
    district = customerDistrict;
    if (random.percent(byNamePercent)) {
      lastName = LastNames.of(random.lastNameForRun(population.lastNameMax()));
    } else {
      lastName = null;
      number = random.customer(population.customersPerDistrict());
    }
  }

  public int warehouse() {
    return warehouse;
  }

  public int district() {
    return district;
  }

  /** Returns the customer's number, which is meaningless if {@link #lastName} is not null. */
  public int number() {
    return number;
  }

  /** Returns the requested last name, or null if the request is by number. */
  public String lastName() {
    return lastName;
  }

  /**
   * Returns the index of the requested customer among {@code count} customers with the same last
   * name, in order of first names.
   */
  public static int middle(int count) {
    return (count + 1) / 2 - 1;
  }
}
