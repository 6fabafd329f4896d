package org.nelumbo.dm.alloc;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.SuperblockLayout;

/** Writes the superblocks of a new pool. */
public final class PoolFormat {
  private static final int STAGING_BYTES = 4096;

  private PoolFormat() {}

  /** Formats every node; what was there is lost. */
  public static void format(Fabric fabric, long poolId) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int node = 0; node < fabric.nodeCount(); node++) {
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.FORMAT_OFFSET), SuperblockLayout.FORMAT | ((long) node << 32));
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.POOL_ID_OFFSET), poolId);
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.NODE_BYTES_OFFSET), fabric.nodeBytes(node));
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.CATALOGUE_ROOT_OFFSET), 0L);
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), SuperblockLayout.LENGTH);
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.CLOCK_OFFSET), 0L);
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.MAGIC_OFFSET), SuperblockLayout.MAGIC);
      }
      channel.flush();
    }
  }
}
