/**
 * Runs with faults that need no scenario file: one {@link org.nelumbo.simulation.run.FaultRun} per
 * seed, {@link org.nelumbo.simulation.run.FaultSeeds} for many seeds, and the command of each run.
 */
package org.nelumbo.simulation.run;
