package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.Population;

/**
 * The warehouse and district of a terminal.
 *
 * @param warehouse its warehouse, from 1
 * @param district its district, from 1, whose stock level it requests
 * @param warehouses number of warehouses
 * @param population number of rows of a warehouse
 * @param compat true for the prototypes' reduced variant
 */
public record Home(
    int warehouse, int district, int warehouses, Population population, boolean compat) {
  /**
   * Returns the home of a terminal. Consecutive terminals get consecutive warehouses; after the
   * last warehouse, the next round of terminals gets the next district.
   */
  public static Home ofTerminal(int index, int warehouses, Population population, boolean compat) {
    int round = index / warehouses;
    return new Home(
        index % warehouses + 1, round % Population.DISTRICTS + 1, warehouses, population, compat);
  }
}
