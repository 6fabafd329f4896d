package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.Population;

/**
 * The warehouse and district of a terminal.
 *
 * @param warehouse its warehouse, from 1
 * @param district its district, from 1: the one whose stock level it asks for
 * @param warehouses how many there are
 * @param population what is in them
 * @param compat whether the terminal runs the prototypes' reduced variant
 */
public record Home(
    int warehouse, int district, int warehouses, Population population, boolean compat) {
  /** Terminals go round the warehouses, and on each round to the next district. */
  public static Home ofTerminal(int index, int warehouses, Population population, boolean compat) {
    int round = index / warehouses;
    return new Home(
        index % warehouses + 1, round % Population.DISTRICTS + 1, warehouses, population, compat);
  }
}
