/**
 * What a transaction costs apart from time: round trips, verbs and bytes on the way to the memory
 * pool, for products that can tell. {@link org.nelumbo.benchmark.cost.CountingTerminal} asks before
 * and after each transaction.
 */
package org.nelumbo.benchmark.cost;
