package org.nelumbo.dm.index.tree;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.index.DamagedIndexException;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Finds the path from the root to a node. Usually it uses only the copies of inner nodes on this
 * compute node, without checking them: whether the range of the resulting node contains the key is
 * detected when the node is read. If it does not, the caller requests a fresh path, which reads
 * every inner node from the pool and updates the copies.
 *
 * <p>Even a fresh path may end left of the correct node, whose separator is not in the parent yet.
 * Then the caller moves to the right sibling. Thread-safe.
 */
final class Navigator {
  /**
   * Kinds of search: for the range with a key ({@code AT}), for the range with the keys just below
   * it ({@code BELOW}), for the last range ({@code LAST}).
   */
  static final int AT = 0;

  static final int BELOW = 1;
  static final int LAST = 2;

  private static final long AGAIN = -1;

  /**
   * Maximum number of attempts, mostly of a millisecond; more than concurrent changes ever cause.
   */
  private static final int ATTEMPTS_MAX = 10_000;

  private final NodeAccess access;
  private final long rootBlock;
  private final InnerNodes copies = new InnerNodes();

  /** Null if the root is a leaf or not known yet. */
  private volatile InnerNode root;

  /** The root if it is a leaf, else NULL. */
  private volatile long leafRoot = PoolAddress.NULL;

  Navigator(NodeAccess access, long rootBlock) {
    this.access = access;
    this.rootBlock = rootBlock;
  }

  /**
   * Returns the leaf for a key according to the copies, or a wrong one if the copies are out of
   * date.
   */
  long leaf(Channel channel, int what, byte[] key, int length) {
    return find(channel, 0, what, key, length);
  }

  /**
   * Returns the node of a level for a key according to the copies, or a wrong one if the copies are
   * out of date; NULL if the tree is not that high.
   */
  long find(Channel channel, int level, int what, byte[] key, int length) {
    InnerNode node = root;
    if (node == null || node.level < level) {
      long leaf = leafRoot;
      return level == 0 && leaf != PoolAddress.NULL
          ? leaf
          : findFresh(channel, level, what, key, length);
    }
    while (node.level > level) {
      long child = child(node, what, key, length);
      if (node.level == level + 1) {
        return child;
      }
      InnerNode next = copies.get(child);
      if (next == null) {
        next = fetch(channel, child);
      }
      if (next == null || next.level != node.level - 1) {
        return findFresh(channel, level, what, key, length);
      }
      node = next;
    }
    return node.address;
  }

  /**
   * Returns the inner node of a level for a key, using the copies only and no verb, or a wrong one
   * if they are out of date; NULL if the copies do not reach that level.
   */
  long known(int level, byte[] key, int length) {
    InnerNode node = root;
    if (node == null || node.level < level) {
      return PoolAddress.NULL;
    }
    while (node.level > level + 1) {
      InnerNode next = copies.get(node.child(key, length));
      if (next == null || next.level != node.level - 1) {
        return PoolAddress.NULL;
      }
      node = next;
    }
    return node.level == level ? node.address : node.child(key, length);
  }

  /**
   * Returns a random leaf according to the copies, or another node if they are out of date; NULL if
   * the way to it ended. Each leaf is about equally likely.
   */
  long randomLeaf(Channel channel) {
    InnerNode node = root;
    if (node == null) {
      return leafRoot;
    }
    while (true) {
      long child = node.child(access.random(node.count()));
      if (node.level == 1) {
        return child;
      }
      InnerNode next = copies.get(child);
      next = next == null ? fetch(channel, child) : next;
      if (next == null || next.level != node.level - 1) {
        return PoolAddress.NULL;
      }
      node = next;
    }
  }

  private static long child(InnerNode node, int what, byte[] key, int length) {
    return what == AT
        ? node.child(key, length)
        : what == BELOW ? node.childBelow(key, length) : node.lastChild();
  }

  private InnerNode fetch(Channel channel, long address) {
    Node node = Workspace.get().visited;
    if (access.read(channel, address, node) != NodeAccess.OK || node.level() == 0) {
      return null;
    }
    return keep(node);
  }

  /** Keeps a copy of an inner node that has just been read or written. */
  InnerNode keep(Node node) {
    InnerNode copy = new InnerNode(node);
    copies.put(copy);
    InnerNode current = root;
    if (current != null && current.address == node.address) {
      root = copy;
    }
    return copy;
  }

  /** Removes the copy of an inner node that is no longer part of the tree. */
  void forget(long address) {
    copies.remove(address);
  }

  /**
   * Returns the node of a level for a key, by a path that is read from the pool; NULL if the tree
   * is not that high.
   */
  long findFresh(Channel channel, int level, int what, byte[] key, int length) {
    for (int attempt = 0; ; attempt++) {
      long found = tryFresh(channel, level, what, key, length);
      if (found != AGAIN) {
        return found;
      }
      if (attempt == ATTEMPTS_MAX) {
        throw new DamagedIndexException(
            "an index has no path to a leaf root=" + PoolAddress.toString(rootBlock));
      }
      access.backoff(attempt);
    }
  }

  private long tryFresh(Channel channel, int level, int what, byte[] key, int length) {
    Workspace w = Workspace.get();
    Node node = w.visited;
    long address = readRoot(channel);
    boolean first = true;
    while (true) {
      int status = access.read(channel, address, node);
      if (status >= NodeAccess.FOREIGN) {
        return AGAIN;
      }
      if (status == NodeAccess.DEAD) {
        address = node.right();
        continue;
      }
      if (isLeftOf(node, what, key, length)) {
        w.noteUnlisted(node);
        address = node.right();
        continue;
      }
      if (isRightOf(node, what, key, length) || node.level() < level) {
        return node.level() < level ? PoolAddress.NULL : AGAIN;
      }
      if (first && node.isLeftmost()) {
        noteRoot(node);
      }
      first = false;
      if (node.level() == level) {
        return node.address;
      }
      address = child(keep(node), what, key, length);
      if (node.level() == level + 1) {
        return address;
      }
    }
  }

  /** Returns true if the wanted keys are right of a node's range. */
  static boolean isLeftOf(Node node, int what, byte[] key, int length) {
    if (node.isRightmost()) {
      return false;
    }
    int order = what == LAST ? -1 : node.compareHigh(key, length);
    return what == BELOW ? order < 0 : order <= 0;
  }

  /** Returns true if the wanted keys are left of a node's range. */
  static boolean isRightOf(Node node, int what, byte[] key, int length) {
    if (node.isLeftmost() || what == LAST) {
      return false;
    }
    int order = node.compareLow(key, length);
    return what == BELOW ? order >= 0 : order > 0;
  }

  /** Returns true if a node's range contains the wanted keys. */
  static boolean covers(Node node, int what, byte[] key, int length) {
    return !isLeftOf(node, what, key, length) && !isRightOf(node, what, key, length);
  }

  long readRoot(Channel channel) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(rootBlock, offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(ValueLayout.JAVA_LONG, offset);
  }

  /** Keeps a copy of the root. */
  void noteRoot(Node node) {
    if (node.level() == 0) {
      leafRoot = node.address;
    } else {
      root = keep(node);
    }
  }

  /** Returns the copy of the root; null if the root is a leaf, or not known yet. */
  InnerNode root() {
    return root;
  }

  /** Returns true if the root is known to be a leaf. */
  boolean isLeafRoot() {
    return leafRoot != PoolAddress.NULL;
  }

  long rootBlock() {
    return rootBlock;
  }
}
