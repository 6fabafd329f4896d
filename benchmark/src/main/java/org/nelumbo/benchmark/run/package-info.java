/**
 * The load: terminals, each with its own thread, run transactions in a closed or an open loop,
 * first during a warm-up and then during the measured time.
 *
 * <p>{@link org.nelumbo.benchmark.run.LoadLoop} starts and ends the terminals, and {@link
 * org.nelumbo.benchmark.run.Monitor} observes the run. {@link
 * org.nelumbo.benchmark.run.TerminalLoop} is the loop of one terminal. A benchmark provides the
 * {@link org.nelumbo.benchmark.run.Terminal}s, and {@link org.nelumbo.benchmark.run.Links} their
 * connections. Statistics are private to a terminal until the end of the run, and the counts of a
 * second until it is over. Measuring a transaction therefore costs two clock readings, and neither
 * garbage nor sharing.
 */
package org.nelumbo.benchmark.run;
