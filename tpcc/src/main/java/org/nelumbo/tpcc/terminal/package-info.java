/**
 * A terminal and what its user enters: the deck of transaction types, the inputs of each type. The
 * same for every way to the database, so that runs with one seed do the same work; the transactions
 * themselves are in {@link org.nelumbo.tpcc.jdbc} and {@link org.nelumbo.tpcc.nativeapi}.
 * Everything here belongs to one terminal and its thread.
 */
package org.nelumbo.tpcc.terminal;
