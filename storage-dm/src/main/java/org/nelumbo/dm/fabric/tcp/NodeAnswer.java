package org.nelumbo.dm.fabric.tcp;

/**
 * What a memory node says of itself to whoever wants to attach.
 *
 * @param nodeBytes of its memory
 * @param silentNanos since it has heard of its owner; -1 if it has none
 * @param header the beginning of its memory
 * @param poolName name of the pool, if the node knows it; else empty
 * @param logId id of the pool of which it keeps the log; 0 if it keeps none
 * @param leaseNanos how long a compute node may be silent before another may take over
 * @param loading how far the owner has loaded the pool from the log of this node; empty if it does
 *     not do so
 */
public record NodeAnswer(
    long nodeBytes,
    long silentNanos,
    byte[] header,
    String poolName,
    long logId,
    long leaseNanos,
    String loading) {}
