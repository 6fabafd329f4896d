package org.nelumbo.dm.replication.view;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Initial header of a memory node that keeps a log. When its process starts, it writes the header
 * of an empty node, whatever an earlier process has left in the memory. The durable contents are in
 * the log. The old memory could still name failed compute nodes of which the memory node has no
 * record.
 */
public final class FreshHeader {
  private FreshHeader() {}

  /**
   * Writes the header before any compute node is served.
   *
   * @param channel channel to the memory, with a staging buffer of {@link NodeHeaderLayout#LENGTH}
   *     bytes
   * @param leftBytes number of leading bytes that may hold data of an earlier process
   * @param incarnation incarnation of this process
   */
  public static void write(Channel channel, long leftBytes, long incarnation) {
    channel.staging().asSlice(0, NodeHeaderLayout.LENGTH).fill((byte) 0);
    channel.write(PoolAddress.of(0, 0), 0, NodeHeaderLayout.LENGTH);
    channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.LEFT_OFFSET), leftBytes);
    channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET), incarnation);
    channel.flush();
  }
}
