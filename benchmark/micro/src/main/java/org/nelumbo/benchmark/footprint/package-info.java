/**
 * The cost of a database in the process before it does any work: time from the start of Java to the
 * first row, and memory of rows and connections, compared with other databases. Each measurement is
 * a process of its own, which runs one of the probes. A probe uses only plain JDBC, so that its
 * class path needs only the probe and a driver.
 */
package org.nelumbo.benchmark.footprint;
