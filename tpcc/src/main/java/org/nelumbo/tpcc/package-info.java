/**
 * TPC-C, standard specification 5.11, as far as a program can follow it: {@link
 * org.nelumbo.tpcc.TpccCommand} is its command line, {@link org.nelumbo.tpcc.TpccWorkload} puts the
 * parts together, {@link org.nelumbo.tpcc.Deviations} says where it departs.
 */
package org.nelumbo.tpcc;
