package org.nelumbo.dm.index.tree;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.index.LatchOwner;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CircleCheck;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Checks whether the failed owner of an index was writing a node. If a WRITE is a copy by the
 * owner's processor, it can stop anywhere: entries are then duplicated or lost, addresses
 * half-written. Such a node is marked as being written, and every node on the path to it is intact,
 * so all levels are walked until a marked node is found. (A node that was linked but not born is
 * also marked, though intact: it counts as torn.) An index without a root, or whose levels have no
 * end or do not follow each other, is damaged; it counts as torn, too, since the caller rebuilds it
 * in either case.
 */
final class TornCheck {
  private static final int LEVEL_UNKNOWN = Integer.MIN_VALUE;

  private final Navigator navigator;
  private final LevelReader reader;
  private final Node node = new Node();

  TornCheck(NodeAccess access, Navigator navigator, int deadOwner) {
    this.navigator = navigator;
    this.reader = new LevelReader(access, owner -> LatchOwner.isDead(owner, deadOwner), true);
  }

  boolean isTorn(Channel channel) {
    if (word(channel, navigator.rootBlock() + TreeNodeLayout.STATE_OFFSET)
        != TreeNodeLayout.COMPLETE) {
      return true;
    }
    int mark = channel.mark();
    boolean isTorn = hasTornNode(channel);
    channel.release(mark);
    return isTorn;
  }

  private boolean hasTornNode(Channel channel) {
    long first = navigator.readRoot(channel);
    if (first == PoolAddress.NULL) {
      return true;
    }
    int level = LEVEL_UNKNOWN;
    do {
      reader.begin(channel);
      CircleCheck circle = new CircleCheck();
      long below = PoolAddress.NULL;
      for (long address = first; address != PoolAddress.NULL; address = node.right()) {
        int status = reader.read(channel, address, node);
        boolean isNext = level == LEVEL_UNKNOWN || node.level() == level;
        if (status >= NodeAccess.FOREIGN || !isNext || circle.isCircle(address)) {
          return true;
        }
        level = node.level();
        if (address == first || below == PoolAddress.NULL) {
          below = node.level() == 0 || status == NodeAccess.DEAD ? PoolAddress.NULL : node.value(0);
        }
      }
      reader.end(channel);
      first = below;
      level--;
    } while (first != PoolAddress.NULL);
    return level >= 0;
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
