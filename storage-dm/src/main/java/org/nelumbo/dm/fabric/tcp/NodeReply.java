package org.nelumbo.dm.fabric.tcp;

/**
 * Description of a memory node that it sends before an attach.
 *
 * @param nodeBytes size of its memory
 * @param silentNanos time since the last frame of its owner; -1 if it has none
 * @param header start of its memory
 * @param poolName name of the pool, if the node knows it; else empty
 * @param logId id of the pool whose log it keeps; 0 if it keeps none
 * @param leaseNanos silence of a compute node after which another may take over
 * @param loading progress of the owner that loads the pool from the log of this node; empty if none
 *     does so
 */
public record NodeReply(
    long nodeBytes,
    long silentNanos,
    byte[] header,
    String poolName,
    long logId,
    long leaseNanos,
    String loading) {}
