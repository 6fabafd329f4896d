/**
 * What clients do in a scenario, and how they know that what they see is right. Begin with {@link
 * org.nelumbo.simulation.workload.Workload}.
 */
package org.nelumbo.simulation.workload;
