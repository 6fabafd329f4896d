/**
 * The interfaces that a benchmark implements: {@link org.nelumbo.benchmark.Benchmark} announces it,
 * {@link org.nelumbo.benchmark.Workload} provides its tables, population, transactions and checks.
 *
 * <p>A benchmark is a module of its own that lists its {@link org.nelumbo.benchmark.Benchmark} in a
 * service file. The launcher adds each benchmark as a subcommand of {@code bench}. A run uses the
 * workload in this order:
 *
 * <ol>
 *   <li>parameters and tables
 *   <li>load
 *   <li>checks after the load
 *   <li>terminals
 *   <li>checks after the run
 * </ol>
 *
 * <p>{@link org.nelumbo.benchmark.MixedWorkload} is the base class of workloads whose terminals
 * deal transactions from a deck, in SQL or as key operations.
 *
 * <p>Runs use plain JDBC, so that any database with a driver runs the same code. Only the package
 * {@code nativeapi} and the counters of locks, verbs and bytes use the API of Nelumbo. The main
 * thread uses a workload; other threads use only the terminals that it opens.
 */
package org.nelumbo.benchmark;
