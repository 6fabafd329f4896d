/**
 * Long runs under faults by one command, {@code nelumbo soak}: parts run in turn, a slice of
 * minutes each, as processes of their own with a seed of their own, until the time is over; one
 * report says what ran, what held, and how each failure is run again.
 *
 * <ul>
 *   <li>{@code org.nelumbo.soak.rounds}: faults on a pool of real processes;
 *   <li>{@code org.nelumbo.soak.crash}: crash points of databases in files;
 *   <li>the simulator and the fuzzers, which have commands of their own ({@link
 *       org.nelumbo.soak.Part}).
 * </ul>
 */
package org.nelumbo.soak;
