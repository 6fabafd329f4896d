package org.nelumbo.smallbank;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.smallbank.terminal.Customers;

/**
 * The settings of SmallBank.
 *
 * @param customers how many there are and which of them are hot
 * @param compat whether to run the prototypes' variant: two tables, no names
 * @param terminals how they work
 */
record SmallBankSettings(Customers customers, boolean compat, TerminalSettings terminals) {}
