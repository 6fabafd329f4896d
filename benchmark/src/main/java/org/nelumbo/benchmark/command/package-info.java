/**
 * The commands of {@code nelumbo bench} and their options: from a command line to an exit status.
 *
 * <p>{@link org.nelumbo.benchmark.command.BenchmarkMain} is the root command, also of a forked
 * process. The command of a workload extends {@link
 * org.nelumbo.benchmark.command.BenchmarkCommand}, which has the shared options ({@link
 * org.nelumbo.benchmark.command.BenchmarkOptions}) and passes the workload to {@link
 * org.nelumbo.benchmark.command.BenchmarkRunner}. The runner measures one URL in this process
 * ({@link org.nelumbo.benchmark.command.SingleRun}), and several URLs or rounds in one process each
 * ({@link org.nelumbo.benchmark.command.SideBySideRuns}). {@link
 * org.nelumbo.benchmark.command.CompareCommand} does the same with every benchmark on every
 * available peer.
 *
 * <p>Exit statuses are those of {@link org.nelumbo.cli.ExitStatus}; scripts rely on them. Only the
 * main thread uses this package.
 */
package org.nelumbo.benchmark.command;
