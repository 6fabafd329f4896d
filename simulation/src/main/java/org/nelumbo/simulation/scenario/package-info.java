/**
 * Scenarios: a cluster, a network, a workload, faults, and the checks after the run, composed in a
 * configuration file.
 *
 * <p>{@code nelumbo sim} ({@link org.nelumbo.simulation.scenario.SimCommand}) loads a {@link
 * org.nelumbo.simulation.scenario.Scenario} and runs it over many seeds ({@link
 * org.nelumbo.simulation.scenario.Soak}). One run ({@link
 * org.nelumbo.simulation.scenario.ScenarioRun}) sets up a world, runs clients and faults, lets
 * other compute nodes take the pool over ({@code Takeovers}), and checks workload and cluster at
 * the end. Its {@link org.nelumbo.simulation.scenario.ScenarioResult} contains the hash of all
 * events.
 *
 * <p><b>Invariant.</b> The same scenario, seed and code give the same events and the same hash.
 * Each thread of a soak has its own worlds.
 */
package org.nelumbo.simulation.scenario;
