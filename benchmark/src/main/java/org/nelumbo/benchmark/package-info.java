/**
 * What a benchmark implements: {@link org.nelumbo.benchmark.Benchmark} announces it, {@link
 * org.nelumbo.benchmark.Workload} has its tables, population, transactions and checks.
 *
 * <p>A benchmark is a module of its own that lists its {@link org.nelumbo.benchmark.Benchmark} in a
 * service file; the launcher adds each one as a subcommand of {@code bench}. A run calls its
 * workload in this order: parameters and tables, load, checks after the load, terminals, checks
 * after the run. {@link org.nelumbo.benchmark.MixedWorkload} is the base of those whose terminals
 * deal transactions from a deck, in SQL or as key operations.
 *
 * <p>Everything but the package {@code nativeapi} speaks plain JDBC, so that any database with a
 * driver runs the same code. A workload is used by the main thread; only the terminals that it
 * opens are used by others.
 */
package org.nelumbo.benchmark;
