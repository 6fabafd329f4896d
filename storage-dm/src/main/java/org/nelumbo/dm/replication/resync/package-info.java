/**
 * Copying between replicas.
 *
 * <p>{@link org.nelumbo.dm.replication.resync.ReplicaReconciler} makes all copies equal to their
 * primaries at an attach after a crash, before any other compute node uses the pool. {@link
 * org.nelumbo.dm.replication.resync.ReplicaResync} fills a memory node that returns, some windows
 * at a time, while work continues: {@code begin}, then {@code step} until its {@code
 * ResyncProgress} is finished.
 *
 * <p>Invariant: writes to a window are blocked while it is copied, so no write falls between the
 * READ of the primary and the WRITE of the copy. Confined to the view-change thread.
 */
package org.nelumbo.dm.replication.resync;
