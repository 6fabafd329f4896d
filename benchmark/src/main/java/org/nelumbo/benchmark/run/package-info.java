/**
 * The closed loop: terminals, each a thread with a connection of its own, run transactions one
 * after the other, first to warm up, then measured.
 *
 * <p>{@link org.nelumbo.benchmark.run.ClosedLoop} starts and ends them; {@link
 * org.nelumbo.benchmark.run.TerminalLoop} is what each does; a benchmark brings the {@link
 * org.nelumbo.benchmark.run.Terminal}s. Statistics are private to a terminal until the end, so that
 * measuring costs two clock readings a transaction and no sharing.
 */
package org.nelumbo.benchmark.run;
