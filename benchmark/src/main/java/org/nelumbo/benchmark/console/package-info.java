/**
 * The console output of a run: lines before it ({@link
 * org.nelumbo.benchmark.console.BenchmarkConsole}), a live line while it loads and measures ({@link
 * org.nelumbo.benchmark.console.ProgressLine}, {@link org.nelumbo.benchmark.console.RunLine}),
 * tables and the RESULT line at its end.
 *
 * <p>The RESULT line goes to the standard output and the live line to the standard error, so that a
 * script can read one and ignore the other.
 */
package org.nelumbo.benchmark.console;
