package org.nelumbo.dm.pool;

/**
 * A compute node that uses a pool, as the memory nodes see it.
 *
 * @param id unique id, drawn when the compute node attached or joined, and never used again
 * @param name display name that the compute node chose
 * @param silentNanos nanoseconds since its last message, at the memory node where that was longest
 *     ago
 * @param isConnected whether it has connections to all memory nodes that list it; a joining compute
 *     node is not listed at all memory nodes yet
 */
public record PoolTenant(long id, String name, long silentNanos, boolean isConnected) {}
