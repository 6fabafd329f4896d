/**
 * A database inside a simulated world: the production engine on the simulated fabric, natively or
 * below SQL, with one table for workloads.
 *
 * <p>{@link org.nelumbo.simulation.cluster.Cluster} is the entry: it formats the pool, starts the
 * engine on a simulated node and creates the table; {@code attach} has another node take the pool
 * over and recover it. {@link org.nelumbo.simulation.cluster.ClusterSession} is the table as one
 * client sees it, whichever way. {@link org.nelumbo.simulation.cluster.QuiescenceCheck} holds what
 * must be true when every client has ended; {@link org.nelumbo.simulation.cluster.OrphanedState}
 * lists what stopped coordinators left.
 *
 * <p>Everything is called by simulated threads. A {@link org.nelumbo.simulation.cluster.Violation}
 * ends the run.
 */
package org.nelumbo.simulation.cluster;
