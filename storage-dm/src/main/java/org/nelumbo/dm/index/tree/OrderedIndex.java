package org.nelumbo.dm.index.tree;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.SizeClass;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.index.LeafGuard;

/**
 * An ordered index in the pool: normalised keys to CVT addresses, unique by key. A B-link tree (Lehman and Yao; Sherman's one-sided form): readers latch nothing, writers latch
 * one node at a time, and a split is linked from the left sibling before its separator is posted to the parent, so that a search that arrives too far left goes right.
 *
 * <p>Inner nodes are cached on the compute node, so a search costs the READ of one leaf. A stale copy only sends the search too far left.
 *
 * <p>Phantoms: {@link LeafGuard}. A new right sibling takes over part of a range while the writer is in the guard of the left one, so nobody has scanned that range and still
 * relies on the left one's lock.
 *
 * <p>Thread-safe; each call uses the caller's channel.
 */
public final class OrderedIndex {
  public static final int OK = 0;

  /** The end of the index has been passed. */
  public static final int END = 1;

  public static final int INSERTED = 2;

  /** The key was there; it maps to the given address now. */
  public static final int PRESENT = 3;

  /** The guard refused. */
  public static final int CONFLICT = 4;

  public static final int EXHAUSTED = 5;
  public static final int REMOVED = 6;
  public static final int ABSENT = 7;

  private static final int ROOT_BLOCK_CLASS = SizeClass.of(64);
  private static final byte[] LOWEST = new byte[0];

  private final Environment environment;
  private final long rootBlock;
  private final InnerNodeCache cache = new InnerNodeCache();
  private volatile Node root;

  /** Opens an index; {@code root} is what {@link #create} answered. */
  public OrderedIndex(Environment environment, long root) {
    this.environment = environment;
    this.rootBlock = root;
  }

  /** Creates an empty index; NULL if the pool is exhausted. */
  public static long create(Channel channel, PoolAllocator allocator) {
    long block = allocator.allocate(ROOT_BLOCK_CLASS);
    long leaf = block == PoolAddress.NULL ? PoolAddress.NULL : allocator.allocate(NodeLayout.SIZE_CLASS);
    if (leaf == PoolAddress.NULL) {
      if (block != PoolAddress.NULL) {
        allocator.free(block, ROOT_BLOCK_CLASS);
      }
      return PoolAddress.NULL;
    }
    Node node = new Node();
    node.init(leaf, 0, LOWEST, null);
    NodeAccess.writeNew(channel, node);
    channel.writeLong(block, leaf);
    channel.flush();
    return block;
  }

  public LeafCursor newCursor() {
    return new LeafCursor(this, environment);
  }

  /**
   * Makes {@code key} map to {@code cvt}: INSERTED, PRESENT, CONFLICT or EXHAUSTED (nothing changed in the last two).
   *
   * @throws IllegalArgumentException if the key is longer than 200 bytes
   */
  public int insert(Channel channel, PoolAllocator allocator, byte[] key, int length, long cvt, LeafGuard guard) {
    checkLength(length);
    long leaf = findLeaf(channel, key, length);
    Node node = new Node();
    while (true) {
      if (!guard.enterInsert(leaf)) {
        return CONFLICT;
      }
      NodeAccess.latch(environment, channel, leaf, node);
      if (node.place(key, length) > 0) {
        NodeAccess.release(channel, node);
        guard.exitInsert(leaf);
        leaf = node.right();
        refreshParent(channel, key, length);
        continue;
      }
      int result = insertLatched(channel, allocator, node, key, length, cvt);
      guard.exitInsert(leaf);
      return result;
    }
  }

  private static void checkLength(int length) {
    if (length > NodeLayout.MAX_KEY) {
      throw new IllegalArgumentException("index key too long bytes=" + length + " limit=" + NodeLayout.MAX_KEY);
    }
  }

  private int insertLatched(Channel channel, PoolAllocator allocator, Node node, byte[] key, int length, long cvt) {
    int at = node.lowerBound(key, length);
    if (node.hasKeyAt(at, key, length)) {
      if (node.value(at) == cvt) {
        NodeAccess.release(channel, node);
      } else {
        node.setValue(at, cvt);
        NodeAccess.writeAndRelease(channel, node);
      }
      return PRESENT;
    }
    return add(channel, allocator, node, at, key, length, cvt) ? INSERTED : EXHAUSTED;
  }

  /** Adds an entry to a latched node, which is released; false if the pool is exhausted. */
  private boolean add(Channel channel, PoolAllocator allocator, Node node, int at, byte[] key, int length, long value) {
    if (node.hasRoom(length)) {
      node.insert(at, key, length, value);
      NodeAccess.writeAndRelease(channel, node);
      return true;
    }
    Node compact = Node.part(node, node.address, 0, node.count(), node.low(), node.high());
    if (compact != null && compact.hasRoom(length)) {
      compact.linkLike(node);
      compact.insert(at, key, length, value);
      NodeAccess.writeAndRelease(channel, compact);
      return true;
    }
    return split(channel, allocator, node, at, key, length, value);
  }

  /** Moves the upper part of a latched node to a new right sibling, with the new entry in one of them; releases it and posts the separator. */
  private boolean split(Channel channel, PoolAllocator allocator, Node node, int at, byte[] key, int length, long value) {
    long address = allocator.allocate(NodeLayout.SIZE_CLASS);
    if (address == PoolAddress.NULL) {
      NodeAccess.release(channel, node);
      return false;
    }
    byte[] newKey = java.util.Arrays.copyOf(key, length);
    Halves halves = Halves.split(node, address, at, newKey, value);
    Node left = halves.left();
    Node right = halves.right();
    link(channel, node, left, right);
    return postSeparator(channel, allocator, node.level() + 1, right.low(), right.address);
  }

  /** Publishes a split: the new node first, then the one that links to it. */
  private static void link(Channel channel, Node node, Node left, Node right) {
    right.setRight(node.right());
    right.setLeft(node.address);
    NodeAccess.writeNew(channel, right);
    left.linkLike(node);
    left.setRight(right.address);
    NodeAccess.writeAndRelease(channel, left);
    if (node.right() != PoolAddress.NULL) {
      channel.writeLong(node.right() + NodeLayout.LEFT_OFFSET, right.address);
      channel.flush();
    }
  }

  /**
   * Adds the separator of a split to the parent level. If the pool is exhausted there, the tree is as good without: searches go right from the left sibling.
   */
  private boolean postSeparator(Channel channel, PoolAllocator allocator, int level, byte[] separator, long right) {
    while (true) {
      long parent = findInner(channel, allocator, level, separator);
      if (parent == PoolAddress.NULL) {
        return true;
      }
      Node node = new Node();
      NodeAccess.latch(environment, channel, parent, node);
      while (node.place(separator, separator.length) > 0) {
        NodeAccess.release(channel, node);
        NodeAccess.latch(environment, channel, node.right(), node);
      }
      cache.remove(node.address);
      int at = node.lowerBound(separator, separator.length);
      if (node.hasKeyAt(at, separator, separator.length)) {
        NodeAccess.release(channel, node);
      } else {
        add(channel, allocator, node, at, separator, separator.length, right);
      }
      cacheFresh(channel, node.address);
      return true;
    }
  }

  /** The inner node of a level that covers a key; makes a new root if there is no such level yet. NULL: no memory for one. */
  private long findInner(Channel channel, PoolAllocator allocator, int level, byte[] key) {
    Node node = refreshRoot(channel);
    while (node.level() < level) {
      if (!growRoot(channel, allocator, node)) {
        return PoolAddress.NULL;
      }
      node = refreshRoot(channel);
    }
    while (node.level() > level) {
      node = right(channel, node, key, key.length);
      node = inner(channel, node.child(key, key.length));
    }
    return node.address;
  }

  /** Puts a new root above the old one. */
  private boolean growRoot(Channel channel, PoolAllocator allocator, Node old) {
    long address = allocator.allocate(NodeLayout.SIZE_CLASS);
    if (address == PoolAddress.NULL) {
      return false;
    }
    Node grown = new Node();
    grown.init(address, old.level() + 1, LOWEST, null);
    grown.insert(0, LOWEST, 0, old.address);
    NodeAccess.writeNew(channel, grown);
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(rootBlock, old.address, address, offset);
    channel.flush();
    if (channel.staging().get(ValueLayout.JAVA_LONG, offset) != old.address) {
      allocator.free(address, NodeLayout.SIZE_CLASS);
    }
    channel.release(mark);
    return true;
  }

  /** Removes {@code key} if it maps to {@code cvt}: REMOVED or ABSENT. */
  public int remove(Channel channel, PoolAllocator allocator, byte[] key, int length, long cvt) {
    if (length > NodeLayout.MAX_KEY) {
      return ABSENT;
    }
    Node node = new Node();
    NodeAccess.latch(environment, channel, findLeaf(channel, key, length), node);
    while (node.place(key, length) > 0) {
      NodeAccess.release(channel, node);
      NodeAccess.latch(environment, channel, node.right(), node);
    }
    int at = node.lowerBound(key, length);
    if (!node.hasKeyAt(at, key, length) || node.value(at) != cvt) {
      NodeAccess.release(channel, node);
      return ABSENT;
    }
    node.remove(at);
    NodeAccess.writeAndRelease(channel, node);
    return REMOVED;
  }

  /** The leaf whose range holds the key, or one further left. */
  long findLeaf(Channel channel, byte[] key, int length) {
    Node node = root(channel);
    while (node.level() > 0) {
      if (node.place(key, length) > 0) {
        node = right(channel, node, key, length);
      }
      long child = node.child(key, length);
      if (node.level() == 1) {
        return child;
      }
      node = inner(channel, child);
    }
    return node.address;
  }

  /** The right-most leaf, or one further left. */
  long findLastLeaf(Channel channel) {
    Node node = refreshRoot(channel);
    while (node.level() > 0) {
      while (!node.isRightmost()) {
        node = inner(channel, node.right());
      }
      long child = node.childBelow(LOWEST, 0);
      if (node.level() == 1) {
        return child;
      }
      node = inner(channel, child);
    }
    return node.address;
  }

  /** Goes right to the inner node that covers the key, and has the stale copy read anew next time. */
  private Node right(Channel channel, Node from, byte[] key, int length) {
    Node node = from;
    while (node.place(key, length) > 0) {
      cache.remove(node.address);
      if (node == root) {
        root = null;
      }
      node = inner(channel, node.right());
    }
    return node;
  }

  private Node root(Channel channel) {
    Node node = root;
    return node != null ? node : refreshRoot(channel);
  }

  private Node refreshRoot(Channel channel) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(rootBlock, offset, Long.BYTES);
    channel.flush();
    long address = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    channel.release(mark);
    Node node = new Node();
    NodeAccess.read(environment, channel, address, node);
    root = node;
    return node;
  }

  private Node inner(Channel channel, long address) {
    Node node = cache.get(address);
    return node != null ? node : cacheFresh(channel, address);
  }

  private Node cacheFresh(Channel channel, long address) {
    Node node = new Node();
    NodeAccess.read(environment, channel, address, node);
    cache.put(node);
    Node current = root;
    if (current != null && current.address == address) {
      root = node;
    }
    return node;
  }

  /** The copy of the parent sent a search too far left: reads the parents of that key anew. */
  void refreshParent(Channel channel, byte[] key, int length) {
    Node node = refreshRoot(channel);
    while (node.level() > 1) {
      node = right(channel, node, key, length);
      node = cacheFresh(channel, node.child(key, length));
    }
  }
}
