package org.nelumbo.tpcc;

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
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
record TpccSettings(
    int warehouses,
    Population population,
    boolean compat,
    boolean keyingThink,
    boolean foreignKeys,
    OrderReading orderLines,
    boolean nativeApi,
    boolean counters,
    long seed) {}
