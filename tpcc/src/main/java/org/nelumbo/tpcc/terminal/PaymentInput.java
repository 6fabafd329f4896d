package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * The input of a user for a payment (clause 2.5.1). In 15 of 100 payments the customer belongs to
 * another warehouse.
 */
public final class PaymentInput {
  private static final int HOME_CUSTOMER_PERCENT = 85;

  private final TpccRandom random;
  private final Home home;
  private final CustomerInput customer;
  private int district;
  private int cents;

  public PaymentInput(TpccRandom random, Home home) {
    this.random = random;
    this.home = home;
    this.customer = new CustomerInput(random, home);
  }

  public void draw() {
    district = random.uniform(1, Population.DISTRICTS);
    cents = random.uniform(100, 500_000);
    if (home.warehouses() == 1 || random.percent(HOME_CUSTOMER_PERCENT)) {
      customer.draw(home.warehouse(), district);
    } else {
      int warehouse = OrderInput.otherWarehouse(random, home);
      customer.draw(warehouse, random.uniform(1, Population.DISTRICTS));
    }
  }

  /** Returns the district that receives the payment, in the terminal's warehouse. */
  public int district() {
    return district;
  }

  /** Returns the amount in cents. */
  public int cents() {
    return cents;
  }

  public CustomerInput customer() {
    return customer;
  }
}
