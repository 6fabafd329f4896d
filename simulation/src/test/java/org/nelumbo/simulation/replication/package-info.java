/** Workloads on copies of the pool, while memory nodes stop and come back. */
package org.nelumbo.simulation.replication;
