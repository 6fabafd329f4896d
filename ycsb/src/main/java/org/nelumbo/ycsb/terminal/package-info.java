/**
 * What a terminal enters, whichever way its operations go: the mix of a core workload, keys of
 * records, values of fields.
 */
package org.nelumbo.ycsb.terminal;
