package org.nelumbo.dm.superblock;

import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The mark of a shared pool with free memory that its compute nodes cannot find: of one that has
 * failed, or has left with garbage. The next compute node that attaches to the pool then searches
 * for all memory in use, although the last one has left in order.
 */
public final class LostMemory {
  private static final long ADDRESS = PoolAddress.of(0, SuperblockLayout.LOST_MEMORY_OFFSET);

  private LostMemory() {}

  /** Records that there may be such memory. */
  public static void note(Channel channel) {
    channel.writeLong(ADDRESS, 1);
    channel.flush();
  }

  /** Returns true if there may be such memory. */
  public static boolean isAny(Channel channel) {
    return ConfigurationRegister.word(channel, ADDRESS) != 0;
  }

  /** Posts that there is none. */
  public static void postForget(Channel channel) {
    channel.writeLong(ADDRESS, 0);
  }
}
