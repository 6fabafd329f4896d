/**
 * A terminal and the input of its user: the deck of transaction types, and the inputs of each type.
 * They are the same for JDBC and the native API, so that runs with one seed do the same work. The
 * transactions are in {@link org.nelumbo.tpcc.jdbc} and {@link org.nelumbo.tpcc.nativeapi}.
 * Everything in this package belongs to one terminal and its thread.
 */
package org.nelumbo.tpcc.terminal;
