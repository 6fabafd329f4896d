/**
 * The inputs of a terminal, which are the same for JDBC and the native API: transaction types, and
 * subscribers drawn by the distribution of the specification.
 */
package org.nelumbo.tatp.terminal;
