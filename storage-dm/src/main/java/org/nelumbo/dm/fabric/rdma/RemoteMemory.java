package org.nelumbo.dm.fabric.rdma;

/**
 * Registered memory of a memory node, as verbs address it.
 *
 * @param address address of its first byte at the node
 * @param bytes size of the memory
 * @param key remote key of its registration
 */
public record RemoteMemory(long address, long bytes, int key) {}
