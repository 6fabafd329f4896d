/**
 * What a person sees during a run: notes before it ({@link
 * org.nelumbo.benchmark.console.BenchmarkConsole}), a live line while it loads and measures ({@link
 * org.nelumbo.benchmark.console.ProgressLine}, {@link org.nelumbo.benchmark.console.RunLine}),
 * tables and the RESULT line at its end.
 *
 * <p>The RESULT line goes to the standard output, progress to the standard error, so that a script
 * can read one and leave the other.
 */
package org.nelumbo.benchmark.console;
