/**
 * Random data and row counts as TPC-C defines them (clauses 2.1.6, 4.3.2, 4.3.3). Used by the
 * loader and by the terminals.
 */
package org.nelumbo.tpcc.data;
