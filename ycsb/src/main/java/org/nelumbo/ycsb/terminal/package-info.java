/**
 * The inputs of a terminal, which are the same for JDBC and the native API: the mix of a core
 * workload, keys of records, and values of fields.
 */
package org.nelumbo.ycsb.terminal;
