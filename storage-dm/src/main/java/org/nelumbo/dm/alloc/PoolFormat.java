package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.SuperblockLayout;

/** Writes the superblocks of a new pool, and checks those of one that is opened. */
public final class PoolFormat {
  private static final int STAGING_BYTES = 4096;

  private PoolFormat() {}

  /** Whether the first node has been formatted. */
  public static boolean isFormatted(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      return word(channel, 0, SuperblockLayout.MAGIC_OFFSET) == SuperblockLayout.MAGIC;
    }
  }

  /**
   * Checks that the nodes of a fabric are the nodes of one pool, in this order and of this size.
   *
   * @throws IllegalStateException if not; the message names the node and what differs
   */
  public static void verify(Fabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      long poolId = word(channel, 0, SuperblockLayout.POOL_ID_OFFSET);
      for (int node = 0; node < fabric.nodeCount(); node++) {
        check(channel, node, "magic", SuperblockLayout.MAGIC_OFFSET, SuperblockLayout.MAGIC);
        check(channel, node, "format", SuperblockLayout.FORMAT_OFFSET, formatWord(node));
        check(channel, node, "poolId", SuperblockLayout.POOL_ID_OFFSET, poolId);
        check(
            channel, node, "nodeBytes", SuperblockLayout.NODE_BYTES_OFFSET, fabric.nodeBytes(node));
      }
    }
  }

  private static void check(Channel channel, int node, String field, int offset, long wanted) {
    long found = word(channel, node, offset);
    if (found != wanted) {
      throw new IllegalStateException(
          "memory node does not belong to this pool node="
              + node
              + " field="
              + field
              + " found="
              + found
              + " wanted="
              + wanted);
    }
  }

  private static long word(Channel channel, int node, int offset) {
    channel.read(PoolAddress.of(node, offset), 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  private static long formatWord(int node) {
    return SuperblockLayout.FORMAT | (long) node << 32;
  }

  /** Formats every node; what was there is lost. */
  public static void format(Fabric fabric, long poolId) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int node = 0; node < fabric.nodeCount(); node++) {
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.FORMAT_OFFSET), formatWord(node));
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.POOL_ID_OFFSET), poolId);
        channel.writeLong(
            PoolAddress.of(node, SuperblockLayout.NODE_BYTES_OFFSET), fabric.nodeBytes(node));
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.CATALOGUE_ROOT_OFFSET), 0L);
        channel.writeLong(
            PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), SuperblockLayout.LENGTH);
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.CLOCK_OFFSET), 0L);
        channel.writeLong(
            PoolAddress.of(node, SuperblockLayout.MAGIC_OFFSET), SuperblockLayout.MAGIC);
      }
      channel.flush();
    }
  }
}
