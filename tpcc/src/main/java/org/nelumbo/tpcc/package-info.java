/**
 * TPC-C, standard specification 5.11, as far as a program can follow it. {@link
 * org.nelumbo.tpcc.TpccCommand} is its command line, {@link org.nelumbo.tpcc.TpccWorkload} combines
 * the parts, and {@link org.nelumbo.tpcc.Deviations} lists the deviations from the specification.
 */
package org.nelumbo.tpcc;
