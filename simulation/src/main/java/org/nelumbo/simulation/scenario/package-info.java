/**
 * Scenarios: a cluster, a network, a workload, faults and the checks after the run, composed in a
 * configuration file.
 *
 * <p>{@code nelumbo sim} ({@link org.nelumbo.simulation.scenario.SimCommand}) loads a {@link
 * org.nelumbo.simulation.scenario.Scenario} and runs it over many seeds ({@link
 * org.nelumbo.simulation.scenario.Soak}). One run ({@link
 * org.nelumbo.simulation.scenario.ScenarioRun}) sets up a world, runs clients beside faults, has
 * other compute nodes take the pool over ({@code Takeovers}), and checks workload and cluster at
 * the end; its {@link org.nelumbo.simulation.scenario.ScenarioResult} has the hash of all events.
 *
 * <p><b>Invariant.</b> Same scenario, seed and code: same events, same hash. Each thread of a soak
 * has worlds of its own.
 */
package org.nelumbo.simulation.scenario;
