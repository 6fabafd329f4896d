package org.nelumbo.dm.superblock;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import org.nelumbo.dm.layout.DamagedPageLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.DamagedPageException;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The pages of a pool whose content was lost while no compute node had it open ({@link
 * DamagedPageLayout}). A compute node searches for them when it attaches, and reads nothing in such
 * a page. They are forgotten once they contain no data in use.
 */
public final class DamagedPages {
  private static final int PAGE = DamagedPageLayout.PAGE_BYTES;
  private static final int STAGING_BYTES = 1 << 20;

  private final String[] names;

  /** Lost pages of each node; null for a node without any. */
  private final BitSet[] pages;

  private boolean isAny;

  private DamagedPages(Fabric fabric) {
    names = new String[fabric.nodeCount()];
    pages = new BitSet[fabric.nodeCount()];
  }

  /** Finds the lost pages of a formatted pool. One round trip if there are none. */
  public static DamagedPages find(Fabric fabric) {
    DamagedPages found = new DamagedPages(fabric);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      long[] counts = words(channel, fabric.nodeCount(), SuperblockLayout.DAMAGED_OFFSET);
      if (Arrays.stream(counts).anyMatch(count -> count != 0)) {
        long[] used = words(channel, fabric.nodeCount(), SuperblockLayout.BUMP_OFFSET);
        for (int node = 0; node < counts.length; node++) {
          if (counts[node] != 0) {
            found.names[node] = fabric.nodeName(node);
            found.pages[node] = search(channel, node, Math.min(used[node], fabric.nodeBytes(node)));
            found.isAny = true;
          }
        }
      }
    }
    return found;
  }

  private static long[] words(Channel channel, int nodes, int offset) {
    for (int node = 0; node < nodes; node++) {
      channel.read(PoolAddress.of(node, offset), node * Long.BYTES, Long.BYTES);
    }
    channel.flush();
    return channel.staging().asSlice(0, (long) nodes * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
  }

  private static BitSet search(Channel channel, int node, long used) {
    BitSet lost = new BitSet();
    long pages = used / PAGE;
    for (long first = 0; first < pages; first += STAGING_BYTES / PAGE) {
      int count = (int) Math.min(STAGING_BYTES / PAGE, pages - first);
      channel.read(PoolAddress.of(node, first * PAGE), 0, count * PAGE);
      channel.flush();
      for (int i = 0; i < count; i++) {
        if (DamagedPageLayout.isLost(channel.staging(), (long) i * PAGE)) {
          lost.set(Math.toIntExact(first + i));
        }
      }
    }
    return lost;
  }

  /** Returns true if lost pages were noted, or may exist undetected. */
  public boolean isAny() {
    return isAny;
  }

  /**
   * Checks that bytes are in no lost page.
   *
   * @throws DamagedPageException if some are
   */
  public void check(long address, int bytes) {
    int node = PoolAddress.node(address);
    BitSet lost = isAny && node < pages.length ? pages[node] : null;
    if (lost != null && bytes > 0) {
      long first = PoolAddress.offset(address) / PAGE;
      long last = (PoolAddress.offset(address) + bytes - 1) / PAGE;
      long found = lost.nextSetBit((int) Math.min(first, Integer.MAX_VALUE));
      if (found >= 0 && found <= last) {
        throw new DamagedPageException(names[node], PoolAddress.of(node, found * PAGE));
      }
    }
  }

  /** Returns a channel whose READs are checked; the given channel if there is nothing to check. */
  public Channel checking(Channel channel) {
    return isAny ? new CheckingChannel(channel) : channel;
  }

  private final class CheckingChannel extends ForwardingChannel {
    CheckingChannel(Channel channel) {
      super(channel);
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      check(address, length);
      super.read(address, stagingOffset, length);
    }
  }

  /** Forgets the lost pages, whose memory is free. */
  public void forget(Fabric fabric) {
    try (Channel channel = fabric.openChannel(Long.BYTES)) {
      for (int node = 0; node < pages.length; node++) {
        if (pages[node] != null) {
          channel.writeLong(PoolAddress.of(node, SuperblockLayout.DAMAGED_OFFSET), 0);
        }
      }
      channel.flush();
    }
  }
}
