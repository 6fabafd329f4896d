/**
 * Litmus tests: scripts of a few small transactions, run on the production engine in a simulated
 * world over many schedules, and with a coordinator that stops at each of its steps.
 *
 * <p>The scripts are resources of this package; each lists its allowed outcomes ({@link
 * org.nelumbo.simulation.litmus.LitmusScript}; the format is in the Javadoc of its parser). {@link
 * org.nelumbo.simulation.litmus.LitmusSuite} runs them all, {@link
 * org.nelumbo.simulation.litmus.LitmusRun} one {@link org.nelumbo.simulation.litmus.LitmusCase}.
 * {@link org.nelumbo.simulation.litmus.StopTable} lists the state that a transaction leaves at each
 * stop. See docs/internals/checkers.md.
 */
package org.nelumbo.simulation.litmus;
