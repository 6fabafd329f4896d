package org.nelumbo.dm.index.tree;

import java.util.function.IntPredicate;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Visits the nodes of an index level by level from the root, each level from left to right. Not
 * thread-safe; one READ a node.
 */
final class TreeWalk {
  /** Visitor of nodes. */
  interface Visitor {
    /** The copy is only good during the call; a dead node is one that others still lead to. */
    void visit(Node node, boolean dead);
  }

  /** More attempts than nodes are ever in the way of others. */
  private static final int ATTEMPTS_MAX = 1000;

  private final NodeAccess access;
  private final Navigator navigator;
  private final LevelReader reader;
  private final Node node = new Node();

  /** A walk that takes a node as it is if a dead owner has it latched. */
  TreeWalk(NodeAccess access, Navigator navigator, IntPredicate isDead) {
    this.access = access;
    this.navigator = navigator;
    this.reader = new LevelReader(access, isDead, false);
  }

  /**
   * Visits all nodes. Where others change the index meanwhile, a level may be visited again from
   * its start.
   */
  void run(Channel channel, Visitor visitor) {
    long first = navigator.readRoot(channel);
    while (first != PoolAddress.NULL) {
      reader.begin(channel);
      first = level(channel, first, visitor);
      reader.end(channel);
    }
  }

  /** Returns the first node of the next level. */
  private long level(Channel channel, long first, Visitor visitor) {
    for (int attempt = 0; ; attempt++) {
      long below = PoolAddress.NULL;
      boolean isFirst = true;
      long address = first;
      while (address != PoolAddress.NULL) {
        int status = reader.read(channel, address, node);
        if (status >= NodeAccess.FOREIGN) {
          break;
        }
        boolean dead = status == NodeAccess.DEAD;
        if (isFirst && !dead) {
          below = node.level() == 0 ? PoolAddress.NULL : node.value(0);
          isFirst = false;
        }
        address = node.right();
        visitor.visit(node, dead);
      }
      if (address == PoolAddress.NULL) {
        return below;
      }
      if (attempt == ATTEMPTS_MAX) {
        throw new IllegalStateException(
            "an index leads to what is no node of it address=" + PoolAddress.toString(address));
      }
      access.backoff(attempt);
      reader.restart();
    }
  }
}
