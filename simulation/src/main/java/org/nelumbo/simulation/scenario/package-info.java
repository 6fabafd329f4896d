/**
 * Scenarios: a cluster, a workload, faults and the checks after the run, composed in a
 * configuration file; the {@code nelumbo sim} command runs them over many seeds.
 */
package org.nelumbo.simulation.scenario;
