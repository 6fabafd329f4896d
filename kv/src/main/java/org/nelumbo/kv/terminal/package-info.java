/**
 * The input of a terminal, which is the same for JDBC and the native API: the key, drawn uniformly
 * or from a Zipfian distribution.
 */
package org.nelumbo.kv.terminal;
