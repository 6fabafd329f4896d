/**
 * Long runs under faults by one command, {@code nelumbo soak}. Parts run in turn until the time is
 * over, in slices of minutes; each slice is a process with its own seed. One report lists the parts
 * that ran, their results, and the command that repeats each failure.
 *
 * <ul>
 *   <li>{@code org.nelumbo.soak.rounds}: faults on a pool of real processes;
 *   <li>{@code org.nelumbo.soak.crash}: crash points of databases in files;
 *   <li>the simulator and the fuzzers, which have their own commands ({@link
 *       org.nelumbo.soak.Part}).
 * </ul>
 */
package org.nelumbo.soak;
