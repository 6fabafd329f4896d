/**
 * Benchmark runs in processes of their own, so that no database inherits the garbage, threads or
 * compiled code of the one before it.
 *
 * <p>{@link org.nelumbo.benchmark.forked.ForkedResult} is the entry: it starts {@link
 * org.nelumbo.benchmark.forked.ForkedRun} with the words of a command line and reads the JSON that
 * the process writes. What the process prints appears on the console of this one; a password goes
 * through its environment.
 *
 * <p>{@link org.nelumbo.benchmark.forked.WorkerProcess} is one of several that run the terminals of
 * one run together.
 */
package org.nelumbo.benchmark.forked;
