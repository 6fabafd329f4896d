package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * The orders that the prototypes access: random loaded orders, instead of the last or the oldest
 * one.
 */
public final class OrderChoice {
  private final TpccRandom random;
  private final Population population;

  public OrderChoice(TpccRandom random, Home home) {
    this.random = random;
    this.population = home.population();
  }

  /** Draws any loaded order of a district. */
  public int any() {
    return random.uniform(1, population.ordersPerDistrict());
  }

  /** Draws any order of a district that was not delivered after the load. */
  public int undelivered() {
    return random.uniform(population.deliveredPerDistrict() + 1, population.ordersPerDistrict());
  }
}
