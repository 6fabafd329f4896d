package org.nelumbo.dm.replication.view;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The header of a memory node that keeps a log, when its process begins: that of an empty node,
 * whatever an earlier process has left behind it. The log has what counts, and compute nodes that
 * died might be found in that memory of whom the node remembers nothing any more.
 */
public final class FreshHeader {
  private FreshHeader() {}

  /**
   * Writes it, before anybody is served.
   *
   * @param channel to the memory, with a staging buffer of {@link NodeHeaderLayout#LENGTH}
   * @param leftBytes so much of the memory may be what an earlier process has left
   * @param incarnation of the process
   */
  public static void write(Channel channel, long leftBytes, long incarnation) {
    channel.staging().asSlice(0, NodeHeaderLayout.LENGTH).fill((byte) 0);
    channel.write(PoolAddress.of(0, 0), 0, NodeHeaderLayout.LENGTH);
    channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.LEFT_OFFSET), leftBytes);
    channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET), incarnation);
    channel.flush();
  }
}
