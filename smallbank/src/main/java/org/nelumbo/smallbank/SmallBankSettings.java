package org.nelumbo.smallbank;

import org.nelumbo.smallbank.terminal.Customers;

/**
 * The settings of SmallBank.
 *
 * @param customers how many there are and which of them are hot
 * @param compat whether to run the prototypes' variant: two tables, no names
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
record SmallBankSettings(
    Customers customers, boolean compat, boolean nativeApi, boolean counters, long seed) {}
