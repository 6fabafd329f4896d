package org.nelumbo.dm.index.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.SizeClass;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;

/**
 * LOTUS keys to CVT addresses, in the style of RACE: extendible hashing with a directory of segments, everything through one-sided verbs. A lookup is one READ of a 128-byte
 * bucket; the directory is cached on the compute node.
 *
 * <p>Rules that make lookups, inserts and removals safe beside a growing segment ({@link SegmentGrower}): a grower freezes a bucket before it copies it. An insert takes an
 * empty slot by CAS and reads the header behind it; if the bucket is frozen by then the copy may or may not have the entry, so the insert takes its entry back, waits for the
 * new segment and makes sure that it is there. A removal does the same the other way round. A lookup that meets a frozen bucket looks at the directory again: as long as it
 * still leads there, the bucket is complete, since nothing can be added to its successor before the directory leads to that.
 *
 * <p>The caller holds the lock of the LOTUS key during insert and remove, so that there is one such call for a key at a time; lookups need nothing but a pinned epoch. Two rows
 * may have the same LOTUS key: both addresses are kept. Thread-safe; each call uses the caller's channel.
 */
public final class HashIndex {
  /** The cached directory was out of date; it has been read anew, look up again. */
  public static final int STALE = -1;

  /** Most candidates a lookup can answer: the size for its {@code out} array. */
  public static final int MAX_CANDIDATES = BucketLayout.SLOTS;

  private static final int PRESENT = -1;
  private static final int FULL = -2;
  static final int FIRST_LOG_BUCKETS = 4;
  static final int ROOT_BLOCK_CLASS = SizeClass.of(64);

  private final Environment environment;
  private final long rootBlock;
  private final LongSupplier clock;
  private volatile Directory directory;

  /**
   * Opens an index.
   *
   * @param root what {@link #create} answered
   * @param clock the present timestamp, with which replaced memory is retired
   */
  public HashIndex(Environment environment, long root, LongSupplier clock) {
    this.environment = environment;
    this.rootBlock = root;
    this.clock = clock;
  }

  /** Creates an empty index; NULL if the pool is exhausted. */
  public static long create(Channel channel, PoolAllocator allocator) {
    long block = allocator.allocate(ROOT_BLOCK_CLASS);
    long words = allocator.allocate(Directory.sizeClass(0));
    long segment = allocator.allocate(SegmentGrower.sizeClass(FIRST_LOG_BUCKETS));
    if (block == PoolAddress.NULL || words == PoolAddress.NULL || segment == PoolAddress.NULL) {
      return PoolAddress.NULL;
    }
    SegmentGrower.writeEmpty(channel, segment, FIRST_LOG_BUCKETS, BucketLayout.header(0, 0));
    channel.writeLong(words, Directory.word(0, FIRST_LOG_BUCKETS, segment));
    channel.writeLong(block, Directory.rootWord(0, words));
    channel.writeLong(block + SegmentGrower.LATCH_OFFSET, 0L);
    channel.flush();
    return block;
  }

  Directory directory(Channel channel) {
    Directory current = directory;
    return current != null ? current : refresh(channel);
  }

  Directory refresh(Channel channel) {
    Directory current = Directory.read(channel, rootBlock);
    directory = current;
    return current;
  }

  private static long bucketAddress(long word, long hash) {
    return Directory.segmentOf(word)
        + (long) Hash.bucket(hash, Directory.logBucketsOf(word)) * BucketLayout.LENGTH;
  }

  /** Posts the READ of a key's bucket; answers where it will be in the staging buffer. */
  public int postLookup(Channel channel, long lotusKey) {
    long hash = Hash.of(lotusKey);
    int offset = channel.reserve(BucketLayout.LENGTH);
    channel.read(bucketAddress(directory(channel).wordOf(hash), hash), offset, BucketLayout.LENGTH);
    return offset;
  }

  /**
   * After the flush: the CVT addresses whose fingerprint is the key's.
   *
   * @return how many are in {@code out}, or {@link #STALE}
   */
  public int collect(Channel channel, int ticket, long lotusKey, long[] out) {
    MemorySegment staging = channel.staging();
    long hash = Hash.of(lotusKey);
    long header = staging.get(ValueLayout.JAVA_LONG, ticket);
    if (header < 0 || !BucketLayout.holds(header, hash)) {
      return STALE;
    }
    return matches(staging, ticket, hash, out);
  }

  private static int matches(MemorySegment staging, int bucket, long hash, long[] out) {
    long fingerprint = Hash.fingerprint(hash);
    int count = 0;
    for (int i = 0; i < BucketLayout.SLOTS; i++) {
      long slot = slot(staging, bucket, i);
      if (slot != 0 && BucketLayout.fingerprint(slot) == fingerprint) {
        out[count++] = BucketLayout.cvt(slot);
      }
    }
    return count;
  }

  private static long slot(MemorySegment staging, int bucket, int i) {
    return staging.get(ValueLayout.JAVA_LONG, bucket + BucketLayout.SLOTS_OFFSET + 8L * i);
  }

  /** The candidates of a key; leaves the staging stack as it was. */
  public int lookup(Channel channel, long lotusKey, long[] out) {
    int mark = channel.mark();
    int ticket = postLookup(channel, lotusKey);
    channel.flush();
    int count = collect(channel, ticket, lotusKey, out);
    channel.release(mark);
    return count != STALE ? count : lookupCarefully(channel, lotusKey, out);
  }

  private int lookupCarefully(Channel channel, long lotusKey, long[] out) {
    long hash = Hash.of(lotusKey);
    int mark = channel.mark();
    int bucket = channel.reserve(BucketLayout.LENGTH);
    while (true) {
      long address = bucketAddress(refresh(channel).wordOf(hash), hash);
      channel.read(address, bucket, BucketLayout.LENGTH);
      channel.flush();
      long header = channel.staging().get(ValueLayout.JAVA_LONG, bucket);
      boolean whole = !BucketLayout.isFrozen(header) || bucketAddress(refresh(channel).wordOf(hash), hash) == address;
      if (whole && BucketLayout.holds(header, hash)) {
        int count = matches(channel.staging(), bucket, hash, out);
        channel.release(mark);
        return count;
      }
    }
  }

  /** Makes sure that the entry is there; false, with nothing changed, if the pool is exhausted. */
  public boolean insert(Channel channel, PoolAllocator allocator, long lotusKey, long cvt) {
    long hash = Hash.of(lotusKey);
    long entry = BucketLayout.slot(hash, cvt);
    int mark = channel.mark();
    int bucket = channel.reserve(BucketLayout.LENGTH);
    int old = channel.reserve(Long.BYTES);
    try {
      for (int attempt = 0; ; ) {
        long address = readBucket(channel, hash, bucket, attempt);
        if (address == PoolAddress.NULL) {
          attempt++;
          continue;
        }
        int place = place(channel.staging(), bucket, entry);
        if (place == PRESENT) {
          return true;
        }
        if (place == FULL) {
          if (!SegmentGrower.grow(this, environment, channel, allocator, hash)) {
            return false;
          }
          continue;
        }
        if (replaceSlot(channel, address, place, 0, entry, bucket, old)) {
          return true;
        }
      }
    } finally {
      channel.release(mark);
    }
  }

  /** The first empty slot, or {@link #PRESENT} or {@link #FULL}. */
  private static int place(MemorySegment staging, int bucket, long entry) {
    int free = FULL;
    for (int i = BucketLayout.SLOTS - 1; i >= 0; i--) {
      long slot = slot(staging, bucket, i);
      if (slot == entry) {
        return PRESENT;
      }
      if (slot == 0) {
        free = i;
      }
    }
    return free;
  }

  /** Reads the bucket of a hash; NULL if it is frozen or not the right one (any more): waits a little before that. */
  private long readBucket(Channel channel, long hash, int bucket, int attempt) {
    long address = bucketAddress(directory(channel).wordOf(hash), hash);
    channel.read(address, bucket, BucketLayout.LENGTH);
    channel.flush();
    long header = channel.staging().get(ValueLayout.JAVA_LONG, bucket);
    if (BucketLayout.isFrozen(header) || !BucketLayout.holds(header, hash)) {
      environment.backoff(attempt);
      refresh(channel);
      return PoolAddress.NULL;
    }
    return address;
  }

  /** Changes a slot; true if that took effect in a bucket that is not frozen. Otherwise nothing has changed that anybody may rely on. */
  private static boolean replaceSlot(Channel channel, long address, int slot, long from, long to, int header, int old) {
    long slotAddress = address + BucketLayout.SLOTS_OFFSET + 8L * slot;
    channel.compareAndSwap(slotAddress, from, to, old);
    channel.read(address, header, Long.BYTES);
    channel.flush();
    MemorySegment staging = channel.staging();
    if (staging.get(ValueLayout.JAVA_LONG, old) != from) {
      return false;
    }
    return !BucketLayout.isFrozen(staging.get(ValueLayout.JAVA_LONG, header));
  }

  /** Makes sure that the entry is not there; whether it was. */
  public boolean remove(Channel channel, long lotusKey, long cvt) {
    long hash = Hash.of(lotusKey);
    long entry = BucketLayout.slot(hash, cvt);
    int mark = channel.mark();
    int bucket = channel.reserve(BucketLayout.LENGTH);
    int old = channel.reserve(Long.BYTES);
    boolean found = false;
    for (int attempt = 0; ; ) {
      long address = readBucket(channel, hash, bucket, attempt);
      if (address == PoolAddress.NULL) {
        attempt++;
        continue;
      }
      int slot = find(channel.staging(), bucket, entry);
      if (slot < 0) {
        channel.release(mark);
        return found;
      }
      found = true;
      replaceSlot(channel, address, slot, entry, 0, bucket, old);
    }
  }

  private static int find(MemorySegment staging, int bucket, long entry) {
    for (int i = 0; i < BucketLayout.SLOTS; i++) {
      if (slot(staging, bucket, i) == entry) {
        return i;
      }
    }
    return -1;
  }

  /** Retires memory that lookups under way may still read. */
  void retire(PoolAllocator allocator, long address, int sizeClass) {
    allocator.retire(address, sizeClass, clock.getAsLong());
  }

  long rootBlock() {
    return rootBlock;
  }

  /** A pass over all entries. */
  public HashCursor newCursor() {
    return new HashCursor(this);
  }

  /** Retires all of the index; nobody uses it any more. */
  public void drop(Channel channel, PoolAllocator allocator) {
    Directory current = refresh(channel);
    for (int i = 0; i < current.words().length; ) {
      long word = current.words()[i];
      retire(allocator, Directory.segmentOf(word), SegmentGrower.sizeClass(Directory.logBucketsOf(word)));
      i += 1 << (current.depth() - Directory.depthOf(word));
    }
    retire(allocator, current.address(), Directory.sizeClass(current.depth()));
    retire(allocator, rootBlock, ROOT_BLOCK_CLASS);
  }
}
