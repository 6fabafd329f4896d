package org.nelumbo.dm.pool;

/**
 * A compute node that has a pool, as the memory nodes see it.
 *
 * @param id drawn when it attached or entered; nobody else has it, or ever had
 * @param name what it calls itself, for people
 * @param silentNanos since it was heard of, by the memory node that has not for longest
 * @param isConnected whether it has connections to all memory nodes that know it; one that is just
 *     entering has not been at all of them
 */
public record PoolTenant(long id, String name, long silentNanos, boolean isConnected) {}
