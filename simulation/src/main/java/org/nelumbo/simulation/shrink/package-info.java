/**
 * Shortens failing runs: {@link org.nelumbo.simulation.shrink.Shrinker} reduces the settings of
 * scenarios, and {@link org.nelumbo.simulation.shrink.LitmusShrinker} removes transactions and
 * steps of litmus cases. A smaller run counts if it fails for any reason.
 */
package org.nelumbo.simulation.shrink;
