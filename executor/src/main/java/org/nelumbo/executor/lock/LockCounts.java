package org.nelumbo.executor.lock;

/**
 * Locks that the transactions of a coordinator have asked for.
 *
 * @param local of this compute node
 * @param remote of others
 * @param roundTrips requests to others that were waited for, each to all owners at a time
 */
public record LockCounts(long local, long remote, long roundTrips) {}
