package org.nelumbo.executor.lock;

/**
 * The numbers of locks that the transactions of a coordinator have requested.
 *
 * @param local locks owned by this compute node
 * @param remote locks owned by other compute nodes
 * @param roundTrips requests to other compute nodes that were waited for; a request to several
 *     owners at a time counts once
 */
public record LockCounts(long local, long remote, long roundTrips) {}
