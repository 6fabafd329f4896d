/**
 * The events of a world: a rolling hash of all events ({@link org.nelumbo.simulation.trace.Trace}),
 * and on request a line of text for each.
 *
 * <p>The text describes verbs in words: {@link org.nelumbo.simulation.trace.PoolContentMap} learns
 * the locations of objects in the pool from the methods that post verbs. {@code PostingMethod}
 * lists these methods as text, and a test checks that each of them exists.
 */
package org.nelumbo.simulation.trace;
