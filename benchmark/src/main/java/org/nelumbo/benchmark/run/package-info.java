/**
 * The load: terminals, each a thread, run transactions in a closed or an open loop, first to warm
 * up, then measured.
 *
 * <p>{@link org.nelumbo.benchmark.run.LoadLoop} starts and ends them, {@link
 * org.nelumbo.benchmark.run.Monitor} watches; {@link org.nelumbo.benchmark.run.TerminalLoop} is
 * what each does; a benchmark brings the {@link org.nelumbo.benchmark.run.Terminal}s, and {@link
 * org.nelumbo.benchmark.run.Links} their connections. Statistics are private to a terminal until
 * the end, and those of a second until it is over, so that measuring costs two clock readings a
 * transaction, no garbage and no sharing.
 */
package org.nelumbo.benchmark.run;
