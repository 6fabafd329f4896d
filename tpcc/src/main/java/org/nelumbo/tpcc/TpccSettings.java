package org.nelumbo.tpcc;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.tpcc.data.Population;

/**
 * The settings of TPC-C.
 *
 * @param warehouses how many, at least 1
 * @param population how much is in each
 * @param compat whether to run the prototypes' reduced variant
 * @param keyingThink whether users take their time
 * @param foreignKeys whether they are declared
 * @param orderLines how New-Order reads what it needs for its lines
 * @param terminals how they work
 */
record TpccSettings(
    int warehouses,
    Population population,
    boolean compat,
    boolean keyingThink,
    boolean foreignKeys,
    OrderReading orderLines,
    TerminalSettings terminals) {}
