package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/** The orders the prototypes look at: any of those that were loaded, not the last or the oldest. */
public final class OrderChoice {
  private final TpccRandom random;
  private final Population population;

  /** Choices of a terminal. */
  public OrderChoice(TpccRandom random, Home home) {
    this.random = random;
    this.population = home.population();
  }

  /** Any order of a district. */
  public int any() {
    return random.uniform(1, population.ordersPerDistrict());
  }

  /** Any order of a district that was loaded without being delivered. */
  public int undelivered() {
    return random.uniform(population.deliveredPerDistrict() + 1, population.ordersPerDistrict());
  }
}
