package org.nelumbo.dm.index.tree;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.TreeNodeLayout;

/**
 * Looks whether the dead owner of an index was writing a node. Where a WRITE is a copy by the
 * owner's processor, it can end anywhere within it: entries are then doubled or lost, addresses
 * half-written. Such a node is marked as being written, and everything that leads to it is whole;
 * so all levels are walked until one is met. (A node that was linked but not born is marked, too,
 * and whole: it is taken for torn.)
 */
final class TornCheck {
  private final NodeAccess access;
  private final Navigator navigator;
  private final int deadOwner;
  private final Node node = new Node();

  TornCheck(NodeAccess access, Navigator navigator, int deadOwner) {
    this.access = access;
    this.navigator = navigator;
    this.deadOwner = deadOwner;
  }

  boolean isTorn(Channel channel) {
    if (word(channel, navigator.rootBlock() + TreeNodeLayout.STATE_OFFSET)
        != TreeNodeLayout.COMPLETE) {
      return true;
    }
    long first = navigator.readRoot(channel);
    while (first != PoolAddress.NULL) {
      long below = PoolAddress.NULL;
      for (long address = first; address != PoolAddress.NULL; address = node.right()) {
        if (TreeNodeLayout.isWriting(word(channel, address + TreeNodeLayout.HEADER_OFFSET))) {
          return true;
        }
        int status = access.readForRepair(channel, address, node, deadOwner);
        if (status >= NodeAccess.FOREIGN) {
          return true;
        }
        if (address == first || below == PoolAddress.NULL) {
          below = node.level() == 0 || status == NodeAccess.DEAD ? PoolAddress.NULL : node.value(0);
        }
      }
      first = below;
    }
    return false;
  }

  private static long word(Channel channel, long address) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(address, offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(ValueLayout.JAVA_LONG, offset);
  }
}
