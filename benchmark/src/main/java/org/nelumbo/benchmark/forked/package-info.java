/**
 * Benchmark runs in processes of their own, so that no database inherits the garbage, threads or
 * compiled code of the one before it.
 *
 * <p>{@link org.nelumbo.benchmark.forked.ForkedResult} is the entry point: it starts {@link
 * org.nelumbo.benchmark.forked.ForkedRun} with the arguments of a command line and reads the JSON
 * that the process writes. The output of the process appears on the console of this one. A password
 * is passed in the environment.
 *
 * <p>{@link org.nelumbo.benchmark.forked.WorkerProcess} is one of several processes that run the
 * terminals of one run together.
 */
package org.nelumbo.benchmark.forked;
