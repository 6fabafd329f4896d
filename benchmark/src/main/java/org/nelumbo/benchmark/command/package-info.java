/**
 * The commands of {@code nelumbo bench} and their options: from a command line to an exit status.
 *
 * <p>{@link org.nelumbo.benchmark.command.BenchmarkMain} is the root, also of a forked process. A
 * workload's command extends {@link org.nelumbo.benchmark.command.BenchmarkCommand}, which has the
 * options that all share ({@link org.nelumbo.benchmark.command.BenchmarkOptions}) and hands a
 * workload to {@link org.nelumbo.benchmark.command.BenchmarkRunner}. The runner measures one URL in
 * this process ({@link org.nelumbo.benchmark.command.SingleRun}), several URLs or rounds each in a
 * process of its own ({@link org.nelumbo.benchmark.command.SideBySideRuns}). {@link
 * org.nelumbo.benchmark.command.CompareCommand} does that with every benchmark on every peer that
 * is there.
 *
 * <p>Exit statuses are those of {@link org.nelumbo.cli.ExitStatus}; scripts rely on them. Used by
 * the main thread only.
 */
package org.nelumbo.benchmark.command;
