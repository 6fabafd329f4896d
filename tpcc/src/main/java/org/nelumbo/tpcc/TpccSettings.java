package org.nelumbo.tpcc;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.tpcc.data.Population;

/**
 * The settings of TPC-C.
 *
 * @param warehouses number of warehouses, at least 1
 * @param population number of rows of each warehouse
 * @param compat true for the prototypes' reduced variant
 * @param keyingThink true if terminals wait for keying and think times
 * @param foreignKeys true if foreign keys are declared
 * @param orderLines the way in which New-Order reads the data of its lines
 * @param terminals settings of the terminals
 */
record TpccSettings(
    int warehouses,
    Population population,
    boolean compat,
    boolean keyingThink,
    boolean foreignKeys,
    OrderReading orderLines,
    TerminalSettings terminals) {}
