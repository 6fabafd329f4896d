package org.nelumbo.executor.gc;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * The list of garbage that one coordinator's commits have left: deleted rows, overflow chains
 * (attached or detached), stale index entries. Each item has the commit timestamp from which on no
 * new snapshot needs it. A first-in first-out ring, which the {@link Collector} consumes. Not
 * thread-safe.
 */
public final class GarbageList {
  static final byte DELETED_ROW = 1;
  static final byte OVERFLOW_CHAIN = 2;
  static final byte INDEX_ENTRY = 3;

  /** A detached overflow chain, to which nothing leads; {@link Item#cvt} is its first block. */
  static final byte LOOSE_CHAIN = 4;

  /**
   * A CVT whose insert was undone, but that an entry of an index may still lead to; {@link
   * Item#key} is the primary key of the row.
   */
  static final byte ABORTED_ROW = 5;

  private static final int CHAINS_MAX = 32;

  /** A power of two. */
  private static final int INITIAL_ITEMS = 8;

  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;

  private final boolean remote;

  private Item[] ring = new Item[INITIAL_ITEMS];
  private int head;
  private int size;

  private final ChainItems chains = new ChainItems();

  /** One piece of garbage; items are reused. */
  static final class Item {
    byte kind;
    TableStore table;
    IndexStore index;
    long lotusKey;
    long cvt;
    long timestamp;
    byte[] key;

    /** Size class of the CVT of an aborted insert. */
    int sizeClass;

    /** Oldest version of the CVT that owned the detached overflow chain. */
    long oldestVersion;

    /** Number of attempts that ended in an exception. */
    int failures;

    /** True if the item has got a later timestamp than its position in the list implies. */
    boolean postdated;
  }

  GarbageList(Channel channel, PoolAllocator allocator, boolean remote) {
    this.channel = channel;
    this.staging = channel.staging();
    this.allocator = allocator;
    this.remote = remote;
  }

  public int size() {
    return size;
  }

  public void addDeleted(TableStore table, long lotusKey, long cvt, long timestamp) {
    add(DELETED_ROW, table, lotusKey, cvt, timestamp);
  }

  /**
   * Reports that a version was moved into an overflow chain. The version is garbage when no
   * snapshot needs the state before the commit.
   */
  public void addOverflow(TableStore table, long lotusKey, long cvt, long timestamp) {
    Item item = chains.get(cvt);
    if (item == null) {
      chains.reserve(1);
      chains.add(add(OVERFLOW_CHAIN, table, lotusKey, cvt, timestamp));
    } else {
      item.table = table;
      item.lotusKey = lotusKey;
      item.timestamp = timestamp;
      item.postdated = true;
    }
  }

  /**
   * Frees a detached overflow chain. On a remote fabric it is freed later, so that no commit waits
   * for the READs of its blocks.
   *
   * @param oldestVersion see {@link #freeChain}
   * @param timestamp timestamp of the commit
   */
  public void discardChain(long first, long oldestVersion, long timestamp) {
    if (remote) {
      addLooseChain(first, oldestVersion, timestamp);
    } else {
      freeChain(first, oldestVersion);
    }
  }

  /** Adds a detached chain; see {@link #freeChain}. */
  void addLooseChain(long first, long oldestVersion, long timestamp) {
    Item item = add(LOOSE_CHAIN, null, 0, first, timestamp);
    item.oldestVersion = oldestVersion;
  }

  public void addIndexEntry(
      IndexStore index, KeyBuffer key, long lotusKey, long cvt, long timestamp) {
    byte[] bytes = java.util.Arrays.copyOf(key.bytes, key.length);
    Item item = add(INDEX_ENTRY, index.table(), lotusKey, cvt, timestamp);
    item.index = index;
    item.key = bytes;
  }

  /** Adds the CVT of an insert that was undone, after the entries that were left. */
  public void addAborted(
      TableStore table, KeyBuffer key, long lotusKey, long cvt, int sizeClass, long timestamp) {
    byte[] bytes = java.util.Arrays.copyOf(key.bytes, key.length);
    Item item = add(ABORTED_ROW, table, lotusKey, cvt, timestamp);
    item.index = table.primary();
    item.key = bytes;
    item.sizeClass = sizeClass;
  }

  /** Returns true if an index entry that leads to that CVT has yet to be removed. */
  public boolean hasEntryOf(long cvt) {
    for (int i = 0; i < size; i++) {
      if (peek(i).kind == INDEX_ENTRY && peek(i).cvt == cvt) {
        return true;
      }
    }
    return false;
  }

  private Item add(byte kind, TableStore table, long lotusKey, long cvt, long timestamp) {
    Item item = next();
    item.kind = kind;
    item.table = table;
    item.lotusKey = lotusKey;
    item.cvt = cvt;
    item.timestamp = timestamp;
    item.failures = 0;
    item.postdated = false;
    return item;
  }

  private Item next() {
    if (size == ring.length) {
      grow();
    }
    int at = (head + size) & (ring.length - 1);
    if (ring[at] == null) {
      ring[at] = new Item();
    }
    size++; // only when there is an item
    return ring[at];
  }

  private void grow() {
    Item[] grown = new Item[ring.length * 2];
    for (int i = 0; i < size; i++) {
      grown[i] = ring[(head + i) & (ring.length - 1)];
    }
    ring = grown;
    head = 0;
  }

  /** Returns the oldest item, or null. */
  Item peek() {
    return size == 0 ? null : ring[head];
  }

  /** Returns the item at position {@code i}, counted from the oldest. */
  Item peek(int i) {
    return ring[(head + i) & (ring.length - 1)];
  }

  /** Removes the oldest item. */
  void pop() {
    Item item = ring[head];
    if (item.kind == OVERFLOW_CHAIN) {
      chains.remove(item.cvt);
    }
    item.table = null;
    item.index = null;
    item.key = null;
    head = (head + 1) & (ring.length - 1);
    size--;
  }

  /** Moves the oldest item to the end, since its row is in use. */
  void postpone() {
    int end = (head + size) & (ring.length - 1);
    Item item = ring[head];
    ring[head] = ring[end];
    ring[end] = item;
    head = (head + 1) & (ring.length - 1);
    item.postdated = false;
  }

  /** Takes over the garbage of another coordinator, which is closing or idle. */
  void takeFrom(GarbageList other) {
    chains.reserve(other.size);
    while (other.size > 0) {
      if (size == ring.length) {
        grow();
      }
      Item next = other.peek();
      if (next.kind == OVERFLOW_CHAIN) {
        Item present = chains.get(next.cvt);
        if (present != null) {
          merge(present, next);
          other.pop();
          continue;
        }
        other.chains.remove(next.cvt);
        chains.add(next);
      }
      // nothing below throws, so the item is in exactly one of the two lists
      int end = (head + size) & (ring.length - 1);
      Item spare = ring[end];
      ring[end] = other.ring[other.head];
      other.ring[other.head] = spare;
      other.head = (other.head + 1) & (other.ring.length - 1);
      other.size--;
      size++;
    }
  }

  /** The later one counts, since another row may be at the address now. */
  private static void merge(Item item, Item other) {
    if (other.timestamp > item.timestamp) {
      item.table = other.table;
      item.lotusKey = other.lotusKey;
      item.timestamp = other.timestamp;
      item.postdated = true;
    }
  }

  /** Moves all items to a new list. */
  GarbageList detach() {
    GarbageList detached = new GarbageList(channel, allocator, remote);
    detached.takeFrom(this);
    return detached;
  }

  /**
   * Frees the blocks of an overflow chain and the records they point to, which no snapshot needs.
   *
   * <p>Versions get older along a chain, and all are older than the versions of the CVT. A failed
   * compute node may have put a version into the chain that is still in the CVT; it will be put
   * into the chain once more, or be freed with the CVT. Such a version is recognized by not being
   * older than its predecessor in the chain or the CVT; its record does not belong to the chain.
   *
   * @param oldestVersion oldest version of the CVT that has a timestamp; {@code Long.MAX_VALUE} if
   *     there is none
   */
  public void freeChain(long first, long oldestVersion) {
    int mark = channel.mark();
    int offset = channel.reserve(OverflowLayout.LENGTH);
    long before = oldestVersion;
    for (long block = first; block != PoolAddress.NULL; ) {
      channel.read(block, offset, OverflowLayout.LENGTH);
      channel.flush();
      freeBlock(block, offset, before);
      block = OverflowLayout.next(staging, offset);
      before = version(offset);
    }
    channel.release(mark);
  }

  private long version(int offset) {
    return CellLayout.version(OverflowLayout.word1(staging, offset));
  }

  private void freeBlock(long block, int offset, long before) {
    long word0 = OverflowLayout.word0(staging, offset);
    if (CellLayout.hasOwnBlock(word0) && version(offset) < before) {
      allocator.free(CellLayout.address(word0), CellLayout.sizeClass(word0));
    }
    allocator.free(block, OverflowLayout.SIZE_CLASS);
  }

  /**
   * Frees the next detached chains together: reads their first blocks in one round trip, then their
   * second blocks, and so on.
   *
   * @return the number of items, at most {@code limit}
   */
  int freeLooseChains(int limit) {
    int count = 0;
    int most = Math.min(Math.min(limit, size), CHAINS_MAX);
    long[] blocks = new long[most];
    long[] before = new long[most];
    for (; count < most && peek(count).kind == LOOSE_CHAIN; count++) {
      blocks[count] = peek(count).cvt;
      before[count] = peek(count).oldestVersion;
    }
    int mark = channel.mark();
    int offset = channel.reserve(count * OverflowLayout.LENGTH);
    for (boolean more = count > 0; more; ) {
      more = freeBlocks(blocks, before, count, offset);
    }
    channel.release(mark);
    for (int i = 0; i < count; i++) {
      pop();
    }
    return count;
  }

  private boolean freeBlocks(long[] blocks, long[] before, int count, int offset) {
    for (int i = 0; i < count; i++) {
      if (blocks[i] != PoolAddress.NULL) {
        channel.read(blocks[i], offset + i * OverflowLayout.LENGTH, OverflowLayout.LENGTH);
      }
    }
    channel.flush();
    boolean more = false;
    for (int i = 0; i < count; i++) {
      if (blocks[i] != PoolAddress.NULL) {
        int at = offset + i * OverflowLayout.LENGTH;
        freeBlock(blocks[i], at, before[i]);
        blocks[i] = OverflowLayout.next(staging, at);
        before[i] = version(at);
        more |= blocks[i] != PoolAddress.NULL;
      }
    }
    return more;
  }
}
