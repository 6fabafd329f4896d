/**
 * The inputs of a terminal, which are the same for JDBC and the native API: transaction types,
 * customers drawn from a hot set, and amounts. Also the book of the money that its transactions
 * moved.
 */
package org.nelumbo.smallbank.terminal;
