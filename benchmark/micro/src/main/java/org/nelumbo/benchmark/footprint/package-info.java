/**
 * What a database in the process costs before it does anything: time from the start of Java to the
 * first row, memory of rows and of connections; beside other databases. Each measurement is a
 * process of its own, which runs one of the probes. A probe uses plain JDBC and nothing else, so
 * that its class path need hold no more than it and a driver.
 */
package org.nelumbo.benchmark.footprint;
