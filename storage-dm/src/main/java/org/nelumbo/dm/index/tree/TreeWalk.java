package org.nelumbo.dm.index.tree;

import java.util.function.IntPredicate;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Visits the nodes of an index level by level from the root, each level from left to right. Not
 * thread-safe; one READ per node.
 */
final class TreeWalk {
  /** Visits nodes. */
  interface Visitor {
    /**
     * Visits a node; the copy is only valid during the call. A dead node is one that other nodes
     * still point to.
     */
    void visit(Node node, boolean dead);
  }

  /** Maximum number of attempts; more than concurrent changes ever cause. */
  private static final int ATTEMPTS_MAX = 1000;

  private final NodeAccess access;
  private final Navigator navigator;
  private final LevelReader reader;
  private final Node node = new Node();

  /** Creates a walk that accepts a node as it is if a failed owner has it latched. */
  TreeWalk(NodeAccess access, Navigator navigator, IntPredicate isDead) {
    this.access = access;
    this.navigator = navigator;
    this.reader = new LevelReader(access, isDead, false);
  }

  /**
   * Visits all nodes. If the index changes meanwhile, a level may be visited again from its start.
   */
  void run(Channel channel, Visitor visitor) {
    long first = navigator.readRoot(channel);
    while (first != PoolAddress.NULL) {
      reader.begin(channel);
      first = level(channel, first, visitor);
      reader.end(channel);
    }
  }

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
            "an index points to something that is not one of its nodes address="
                + PoolAddress.toString(address));
      }
      access.backoff(attempt);
      reader.restart();
    }
  }
}
