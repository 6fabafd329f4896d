/**
 * Litmus tests: scripts of a few small transactions, run on the production engine in a simulated
 * world over many schedules, and with a coordinator that stops at each of its steps.
 *
 * <p>The scripts are resources of this package; each says which outcomes are allowed ({@link
 * org.nelumbo.simulation.litmus.LitmusScript}, format in its Javadoc). {@link
 * org.nelumbo.simulation.litmus.LitmusSuite} runs them all, {@link
 * org.nelumbo.simulation.litmus.LitmusRun} one {@link org.nelumbo.simulation.litmus.LitmusCase};
 * {@link org.nelumbo.simulation.litmus.StopTable} writes down what a transaction leaves wherever it
 * stops. See docs/internals/checkers.md.
 */
package org.nelumbo.simulation.litmus;
