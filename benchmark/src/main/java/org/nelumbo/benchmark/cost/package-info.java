/**
 * The cost of a transaction other than time: round trips, verbs and bytes to and from the memory
 * pool, for products that count them. {@link org.nelumbo.benchmark.cost.CountingTerminal} reads the
 * counters before and after each transaction.
 */
package org.nelumbo.benchmark.cost;
