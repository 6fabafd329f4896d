/**
 * A database inside a simulated world: the production engine on the simulated fabric, natively or
 * below SQL, with one table for workloads.
 *
 * <p>{@link org.nelumbo.simulation.cluster.Cluster} is the entry point: it formats the pool, starts
 * the engine on a simulated node and creates the table; {@code attach} makes another node take over
 * and recover the pool. {@link org.nelumbo.simulation.cluster.ClusterSession} is the table as one
 * client sees it, through either API. {@link org.nelumbo.simulation.cluster.QuiescenceCheck} checks
 * the state after every client has ended; {@link org.nelumbo.simulation.cluster.OrphanedState}
 * lists the state left by stopped coordinators.
 *
 * <p>All methods are called by simulated threads. A {@link
 * org.nelumbo.simulation.cluster.Violation} ends the run.
 */
package org.nelumbo.simulation.cluster;
