/**
 * Random data as TPC-C defines it (clauses 2.1.6, 4.3.2, 4.3.3), and how much of it. Used by the
 * loader and by the terminals.
 */
package org.nelumbo.tpcc.data;
