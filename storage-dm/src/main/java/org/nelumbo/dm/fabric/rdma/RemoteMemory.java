package org.nelumbo.dm.fabric.rdma;

/**
 * Memory of a memory node, as verbs name it.
 *
 * @param address of its first byte at the node
 * @param bytes of it
 * @param key by which the node has registered it
 */
public record RemoteMemory(long address, long bytes, int key) {}
