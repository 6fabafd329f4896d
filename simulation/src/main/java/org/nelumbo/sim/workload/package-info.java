/**
 * What clients do in a scenario, and how they know that what they see is right. Begin with {@link
 * org.nelumbo.sim.workload.Workload}.
 */
package org.nelumbo.sim.workload;
