/**
 * What happened in a world: a readable event trace, and a rolling hash of the same events for runs
 * that keep no text.
 */
package org.nelumbo.simulation.trace;
