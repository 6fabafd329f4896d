/**
 * What the benchmarks share, from the command line down to the exit status.
 *
 * <p>A benchmark is a module of its own that announces a {@link org.nelumbo.benchmark.Benchmark}
 * through {@link java.util.ServiceLoader}; the launcher adds each one as a subcommand of {@code
 * bench}. Everything here speaks plain JDBC, so that any database with a driver runs the same code.
 */
package org.nelumbo.benchmark;
