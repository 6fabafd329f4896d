/**
 * Copying between replicas. {@link org.nelumbo.dm.replication.resync.ReplicaReconciler} makes all
 * copies equal to their primaries at an attach after a crash, before anybody else uses the pool.
 * {@link org.nelumbo.dm.replication.resync.ReplicaResync} fills a memory node that comes back, a
 * window at a time, while work goes on: {@code begin}, then {@code step} until its {@code
 * ResyncProgress} is finished.
 *
 * <p>Invariant: a window is copied while its stripes are locked, so no write falls between the READ
 * of the primary and the WRITE of the copy. Used by one thread, that of the view changer.
 */
package org.nelumbo.dm.replication.resync;
