package org.nelumbo.smallbank;

import org.nelumbo.benchmark.TerminalSettings;
import org.nelumbo.smallbank.terminal.Customers;

/**
 * The settings of SmallBank.
 *
 * @param customers number of customers and the hot set
 * @param compat true for the prototypes' variant: two tables, no names
 * @param terminals settings of the terminals
 */
record SmallBankSettings(Customers customers, boolean compat, TerminalSettings terminals) {}
