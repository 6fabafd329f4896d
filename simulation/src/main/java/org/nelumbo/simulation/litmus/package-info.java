/**
 * Litmus tests: scripts of a few small transactions, run at the production engine in a simulated
 * world over many schedules, and with a coordinator that stops at each of its steps. The scripts
 * are resources of this package and say which outcomes are allowed. See docs/internals/checkers.md.
 */
package org.nelumbo.simulation.litmus;
