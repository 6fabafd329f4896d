/**
 * What happened in a world: a rolling hash of all events ({@link
 * org.nelumbo.simulation.trace.Trace}), and on demand a line of text for each.
 *
 * <p>In text, verbs are told in words: {@link org.nelumbo.simulation.trace.PoolContentMap} learns
 * what lies where in the pool from the methods that post verbs. Those are named as text, in {@code
 * PostingMethod}, and a test holds that each of them exists.
 */
package org.nelumbo.simulation.trace;
