/**
 * Makes failing runs small: {@link org.nelumbo.simulation.shrink.Shrinker} for scenarios, of which
 * any setting may be made smaller, and {@link org.nelumbo.simulation.shrink.LitmusShrinker} for
 * litmus cases, of which transactions and steps may go. A smaller run counts if it fails, too, for
 * whatever reason.
 */
package org.nelumbo.simulation.shrink;
