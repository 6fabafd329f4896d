package org.nelumbo.dm.index.tree;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Operations on a whole index that does not change meanwhile: checks, statistics, and retiring its
 * memory. Used once.
 */
final class TreeInspection {
  private final NodeAccess access;
  private final Navigator navigator;
  private final Node before = new Node();
  private final byte[] key = new byte[TreeNodeLayout.KEY_LENGTH_MAX];
  private final byte[] lastKey = new byte[TreeNodeLayout.KEY_LENGTH_MAX];
  private final Node child = new Node();
  private LongList children = new LongList();
  private long[] listed = new long[0];
  private int level = -1;
  private int height;
  private long innerNodes;
  private long leaves;
  private long emptyLeaves;
  private long entries;
  private long leafBytes;
  private long missing;

  TreeInspection(NodeAccess access, Navigator navigator) {
    this.access = access;
    this.navigator = navigator;
  }

  private void walk(Channel channel, TreeWalk.Visitor visitor) {
    new TreeWalk(access, navigator, NodeAccess.NONE_DEAD).run(channel, visitor);
  }

  TreeStatistics statistics(Channel channel) {
    walk(channel, (node, dead) -> count(node));
    long bytes = (innerNodes + leaves) * TreeNodeLayout.LENGTH;
    double fill = (double) leafBytes / (leaves * TreeNodeLayout.LENGTH);
    return new TreeStatistics(
        height, innerNodes, leaves, emptyLeaves, entries, bytes, fill, missing);
  }

  private void count(Node node) {
    if (node.level() != level) {
      beginLevel(node.level());
    }
    if (listed.length > 0 && Arrays.binarySearch(listed, node.address) < 0) {
      missing++;
    }
    if (node.level() == 0) {
      leaves++;
      entries += node.count();
      leafBytes += node.usedBytes();
      emptyLeaves += node.count() == 0 ? 1 : 0;
    } else {
      innerNodes++;
      for (int i = 0; i < node.count(); i++) {
        children.add(node.value(i));
      }
    }
  }

  private void beginLevel(int next) {
    height = Math.max(height, next + 1);
    level = next;
    listed = children.sorted();
    children = new LongList();
  }

  long verify(Channel channel) {
    walk(
        channel,
        (node, dead) -> {
          boolean first = node.level() != level;
          count(node);
          check(!dead, "a removed node is linked", node);
          check(TreeNodeLayout.owner(node.latch()) == TreeNodeLayout.FREE, "latched", node);
          checkPlace(node, first);
          checkKeys(node);
          if (node.level() > 0) {
            checkChildren(channel, node);
          }
          before.copyFrom(node);
        });
    check(before.isRightmost(), "the last node is bounded", before);
    return entries;
  }

  private void checkPlace(Node node, boolean first) {
    if (first) {
      check(node.isLeftmost(), "the first node of a level has a low fence", node);
      check(
          height == node.level() + 1 || before.isRightmost(),
          "the last node of a level is bounded",
          before);
    } else {
      check(node.follows(before), "a node does not begin where its left sibling ends", node);
    }
    check(
        node.isRightmost() == (node.right() == PoolAddress.NULL),
        "the last node has a right sibling, or another has none",
        node);
  }

  private void checkKeys(Node node) {
    int lastLength = 0;
    for (int i = 0; i < node.count(); i++) {
      int length = node.copyKey(i, key, 0);
      check(
          Navigator.covers(node, Navigator.AT, key, length),
          "a key is out of range entry=" + i,
          node);
      check(
          i == 0 || Arrays.compareUnsigned(lastKey, 0, lastLength, key, 0, length) < 0,
          "keys are out of order entry=" + i,
          node);
      check(
          node.lowerBound(key, length) == i && node.hasKeyAt(i, key, length),
          "a key is not found entry=" + i,
          node);
      System.arraycopy(key, 0, lastKey, 0, length);
      lastLength = length;
    }
  }

  private void checkChildren(Channel channel, Node node) {
    check(node.count() > 0, "an inner node is empty", node);
    for (int i = 0; i < node.count(); i++) {
      int length = node.copyKey(i, key, 0);
      check(
          i > 0 || node.compareLow(key, length) == 0,
          "the first child begins above the low fence",
          node);
      int status = access.read(channel, node.value(i), child);
      check(
          status == NodeAccess.OK,
          "a child is not a node of the index child=" + i + " status=" + status,
          node);
      check(child.level() == node.level() - 1, "a child is of the wrong level child=" + i, node);
      check(
          child.compareLow(key, length) == 0,
          "a child's low fence is not its separator child=" + i,
          node);
    }
  }

  private static void check(boolean holds, String what, Node node) {
    if (!holds) {
      throw new IllegalStateException(
          what
              + " node="
              + PoolAddress.toString(node.address)
              + " level="
              + node.level()
              + " count="
              + node.count());
    }
  }

  void drop(Channel channel, PoolAllocator allocator, long timestamp) {
    LongList nodes = new LongList();
    walk(channel, (node, dead) -> nodes.add(node.address));
    for (int i = 0; i < nodes.size(); i++) {
      allocator.retire(nodes.get(i), TreeNodeLayout.SIZE_CLASS, timestamp);
    }
    allocator.retire(navigator.rootBlock(), TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS, timestamp);
  }
}
