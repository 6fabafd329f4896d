package org.nelumbo.dm.index.tree;

import java.util.Arrays;
import org.nelumbo.dm.index.DamagedIndexException;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.LeafImages;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A cursor over the leaves of an ordered index in either direction, with a private copy of one leaf
 * at a time. Reusable, allocates nothing once it has grown to the key length; not thread-safe.
 *
 * <p><b>Completeness.</b> No entry is missed or returned twice. The position is a key, not a leaf:
 * the fence where the last leaf ended. The next leaf is one whose range contains the keys from
 * there on (or below) when it is read, and only entries beyond the position are returned. So splits
 * and removals in between have no effect.
 *
 * <p><b>Phantoms.</b> The guard of a leaf is entered before the copy that is used is read. If the
 * copy shows that the leaf no longer has the wanted range, the cursor moves to the leaf that has
 * it; the lock stays. So when a leaf is returned, all later inserts into its range must enter the
 * guard of this leaf: see {@link OrderedIndex}.
 */
public final class LeafCursor {
  /** Maximum number of times that the path to one leaf is read from the pool. */
  private static final int MISLED_MAX = 1_000;

  private final OrderedIndex index;
  private final NodeAccess access;
  private final Navigator navigator;
  private final EmptyLeaves empty;
  private final Node leaf = new Node();
  private LeafGuard guard = LeafGuard.NONE;

  private PrefetchedLeaves prefetched;
  private LeafImages images = LeafImages.NONE;

  private boolean ascending;

  private byte[] position = new byte[TreeNodeLayout.KEY_LENGTH_MAX];
  private int positionLength;

  /** Position before the last leaf, for {@link #checkProgress}. */
  private byte[] earlier = new byte[TreeNodeLayout.KEY_LENGTH_MAX];

  private int earlierLength;

  /** Entry of the leaf that is returned first; {@link #count} is the number of entries. */
  private int first;

  private int count;

  /**
   * Decoded keys, each at a multiple of the stride; the key of entry {@code i} is decoded if its
   * number is that of the current leaf.
   */
  private byte[] keys = new byte[4096];

  private int keyStride;
  private final int[] decoded = new int[TreeNodeLayout.COUNT_MAX + 1];
  private int leafNumber;

  /** Creates a cursor without a position. */
  public LeafCursor(OrderedIndex index) {
    this.index = index;
    this.access = index.access();
    this.navigator = index.navigator();
    this.empty = index.emptyLeaves();
  }

  /** Returns true if this is a cursor of the given index. */
  public boolean isOf(OrderedIndex other) {
    return index == other;
  }

  /**
   * Moves to the leaf with the first candidate entry from the bound on; a bound of length 0 is
   * open. One round trip if the copies of inner nodes are warm.
   *
   * @return OK (the leaf may have no entry in the range) or CONFLICT (the guard refused)
   */
  public int seek(
      Channel channel,
      byte[] bound,
      int length,
      boolean inclusive,
      ScanDirection direction,
      LeafGuard leafGuard) {
    guard = leafGuard;
    ascending = direction == ScanDirection.ASCENDING;
    setPosition(bound, length);
    int what = what(length, inclusive, ascending);
    long address = navigator.leaf(channel, what, position, length);
    if (!goTo(channel, what, address)) {
      return IndexResult.CONFLICT;
    }
    showFromPosition(inclusive);
    return IndexResult.OK;
  }

  private static int what(int length, boolean inclusive, boolean isAscending) {
    if (isAscending) {
      return Navigator.AT;
    } else if (length == 0) {
      return Navigator.LAST;
    }
    return inclusive ? Navigator.AT : Navigator.BELOW;
  }

  private void showFromPosition(boolean inclusive) {
    int length = positionLength;
    if (length == 0) {
      show(0, leaf.count());
      return;
    }
    int at = leaf.lowerBound(position, length);
    boolean behind = leaf.hasKeyAt(at, position, length) && inclusive != ascending;
    at = behind ? at + 1 : at;
    show(ascending ? at : 0, ascending ? leaf.count() : at);
  }

  /**
   * Sets the leaves that were read ahead, whose copies are used from now on; null: all leaves are
   * read.
   */
  public void use(PrefetchedLeaves leaves) {
    prefetched = leaves;
  }

  /** Sets the contents of leaves that need not be read. */
  public void use(LeafImages known) {
    images = known;
  }

  /**
   * Returns the leaf that {@link #seek} would read first, according to the copies of inner nodes.
   * Bounds as there; an ascending scan includes its bound, a descending one does not.
   */
  public long firstLeaf(Channel channel, byte[] bound, int length, ScanDirection direction) {
    boolean isAscending = direction == ScanDirection.ASCENDING;
    return navigator.leaf(channel, what(length, isAscending, isAscending), bound, length);
  }

  /**
   * Moves to a leaf as {@link #seek} does, without a READ and without a guard; returns false if
   * there is no copy of it, or if the range of the copy does not contain the bound. Bounds as for
   * {@link #firstLeaf}.
   */
  public boolean seekPrefetched(long address, byte[] bound, int length, ScanDirection direction) {
    guard = LeafGuard.NONE;
    ascending = direction == ScanDirection.ASCENDING;
    setPosition(bound, length);
    count = 0;
    int what = what(length, ascending, ascending);
    if (!prefetched.copy(address, leaf, false) || !Navigator.covers(leaf, what, position, length)) {
      return false;
    }
    showFromPosition(ascending);
    return true;
  }

  /**
   * Moves to the next leaf in scan direction.
   *
   * @return OK (it may have no entry), END (the visited leaves, with their locks, cover the range
   *     to this end of the index) or CONFLICT
   * @throws DamagedIndexException if the leaf ends where it begins, so that the scan would not end
   */
  public int nextLeaf(Channel channel) {
    count = 0;
    if (ascending ? leaf.isRightmost() : leaf.isLeftmost()) {
      return IndexResult.END;
    }
    keepPosition();
    long address;
    if (ascending) {
      positionLength = leaf.copyHigh(position);
      checkProgress();
      address = leaf.right();
    } else {
      positionLength = leaf.copyLow(position);
      address = navigator.leaf(channel, Navigator.BELOW, position, positionLength);
    }
    if (!goTo(channel, ascending ? Navigator.AT : Navigator.BELOW, address)) {
      return IndexResult.CONFLICT;
    }
    int at = leaf.lowerBound(position, positionLength);
    show(ascending ? at : 0, ascending ? leaf.count() : at);
    return IndexResult.OK;
  }

  private void keepPosition() {
    byte[] kept = position;
    position = earlier;
    earlier = kept;
    earlierLength = positionLength;
  }

  /** Detects a leaf of zeros, which has no upper fence and is not the last one. */
  private void checkProgress() {
    if (Arrays.compareUnsigned(position, 0, positionLength, earlier, 0, earlierLength) <= 0) {
      throw new DamagedIndexException("an index leaf ends where it begins");
    }
  }

  private void setPosition(byte[] bound, int length) {
    if (position.length < length) {
      position = new byte[length];
    }
    System.arraycopy(bound, 0, position, 0, length);
    positionLength = length;
  }

  /**
   * Moves to a random leaf, without a guard, for a sample of the entries. Each leaf is about
   * equally likely.
   *
   * @return false if the leaf cannot be read: try again
   */
  public boolean seekRandom(Channel channel) {
    guard = LeafGuard.NONE;
    ascending = true;
    count = 0;
    long address = navigator.randomLeaf(channel);
    if (address == PoolAddress.NULL) {
      navigator.findFresh(channel, 0, Navigator.AT, position, 0);
      return false;
    }
    if (access.read(channel, address, leaf) != NodeAccess.OK || leaf.level() > 0) {
      return false;
    }
    show(0, leaf.count());
    return true;
  }

  /** Tries the given address first. Returns false if the guard refused. */
  private boolean goTo(Channel channel, int what, long start) {
    count = 0;
    long address = start;
    boolean fresh = false;
    int misled = 0;
    while (guard.enterScan(address)) {
      int status = !fresh && isKnown(address) ? NodeAccess.OK : access.read(channel, address, leaf);
      boolean ok = status == NodeAccess.OK && leaf.level() == 0;
      if (ok && Navigator.covers(leaf, what, position, positionLength)) {
        if (leaf.count() == 0 && !leaf.isRightmost()) {
          empty.add(address);
        }
        return true;
      }
      boolean right =
          status == NodeAccess.DEAD
              || (ok && fresh && Navigator.isLeftOf(leaf, what, position, positionLength));
      address = right ? leaf.right() : PoolAddress.NULL;
      if (address == PoolAddress.NULL || (status == NodeAccess.DEAD && !fresh)) {
        if (misled++ == MISLED_MAX) {
          throw new DamagedIndexException("the search in an index ended at leaves without the key");
        }
        address = navigator.findFresh(channel, 0, what, position, positionLength);
        fresh = true;
      }
    }
    return false;
  }

  /** Loads a leaf without a READ; returns false if its content is unknown. */
  private boolean isKnown(long address) {
    if (prefetched != null && prefetched.copy(address, leaf, guard != LeafGuard.NONE)) {
      return true;
    }
    byte[] image = images.find(access, address);
    if (image != null) {
      leaf.loadImage(image, address);
    }
    return image != null;
  }

  private void show(int from, int to) {
    first = ascending ? from : to - 1;
    count = to - from;
    leafNumber++;
    keyStride =
        leaf.isVariable()
            ? TreeNodeLayout.KEY_LENGTH_MAX
            : leaf.prefixLength() + leaf.fixedSuffixLength();
    if (keys.length < count * keyStride) {
      keys = new byte[Math.max(count * keyStride, keys.length * 2)];
    }
  }

  private int entry(int i) {
    return ascending ? first + i : first - i;
  }

  /**
   * Returns the number of entries of this leaf from the bound on. The methods below number them
   * from 0 in scan direction.
   */
  public int count() {
    return count;
  }

  public long cvt(int i) {
    return leaf.value(entry(i));
  }

  /**
   * Returns the array that contains the keys, valid until the next call of {@link #seek} or {@link
   * #nextLeaf}; each key is valid after a call of its {@link #keyOffset}.
   */
  public byte[] keyBytes() {
    return keys;
  }

  public int keyOffset(int i) {
    int offset = i * keyStride;
    if (decoded[i] != leafNumber) {
      decoded[i] = leafNumber;
      leaf.copyKey(entry(i), keys, offset);
    }
    return offset;
  }

  public int keyLength(int i) {
    return leaf.keyLength(entry(i));
  }

  /** Compares an entry's key with a bound, as unsigned bytes. */
  public int compareKey(int i, byte[] bound, int length) {
    return leaf.compareKey(entry(i), bound, length);
  }

  /**
   * Returns true if a scan up to a bound is complete with this leaf: no key further on in scan
   * direction, but not beyond the bound, is in the range of another leaf. An open bound (length 0)
   * is never reached.
   */
  public boolean reaches(byte[] bound, int length, boolean inclusive) {
    if (length == 0) {
      return false;
    }
    if (ascending) {
      int order = leaf.compareHigh(bound, length);
      return order > 0 || (order == 0 && !inclusive);
    }
    return leaf.isLeftmost() || leaf.compareLow(bound, length) <= 0;
  }

  /** Returns true if this leaf is the last one in scan direction. */
  public boolean isLast() {
    return ascending ? leaf.isRightmost() : leaf.isLeftmost();
  }

  /**
   * Copies the bound at which the scan continues after this leaf; returns its length, at most
   * {@link TreeNodeLayout#KEY_LENGTH_MAX}.
   */
  public int copyFence(byte[] target) {
    return ascending ? leaf.copyHigh(target) : leaf.copyLow(target);
  }

  /** Returns the address of the leaf. */
  public long leafAddress() {
    return leaf.address;
  }

  @Override
  public String toString() {
    return "LeafCursor[leaf="
        + PoolAddress.toString(leaf.address)
        + " count="
        + count
        + " position="
        + Arrays.toString(Arrays.copyOf(position, positionLength))
        + "]";
  }
}
