package org.nelumbo.executor.cache;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The VT cache (LOTUS section 4.4) and the address cache (section 5) of a compute node. Maps LOTUS
 * keys to CVT addresses and copies. A cached address saves the round trip to the hash index; a copy
 * saves the READ of the CVT, too. Thread-safe.
 *
 * <p><b>Copies equal the pool</b> for the holder of the key's lock. For a snapshot they contain all
 * versions that it may see. A copy is invalidated before the commit timestamp of a write is drawn.
 * So a copy that is found lacks only versions with later timestamps than any existing snapshot.
 *
 * <p><b>Copies are never older than a write</b> (invariant 9 of {@code docs/architecture.md}):
 *
 * <ol>
 *   <li>A writer of a CVT holds its write lock and calls {@link #invalidate} before and {@link
 *       #publish} or {@link #remove} after the write. Each call draws a new sequence number.
 *   <li>A reader of a CVT takes the {@link #sequence} before its READ. If it does not hold the
 *       key's lock, it checks after the READ that the key is not write-locked. It then offers the
 *       copy with {@link #putIfUnchanged}.
 * </ol>
 *
 * <p>So an intervening writer is detected. A writer that holds the lock at the check is found
 * there. A writer that released the lock before has drawn a new sequence number. A writer that
 * acquires the lock later draws a new sequence number before the put, or removes the copy after it.
 *
 * <p><b>Shared pools</b> ({@link #share}): only CVTs of owned keys are kept, that is, keys whose
 * locks this compute node grants.
 *
 * <ul>
 *   <li>{@link #written} is called before another compute node gets such a lock for writing, and
 *       again before the lock is released. So a remote writer changes the sequence numbers like a
 *       local one, but leaves only the address in the cache, and no copy.
 *   <li>{@link #forget} removes the address, too, if the writer may retire the CVT. Only a
 *       collector does that to rows that other transactions may have found.
 *   <li>A copy of a key that is no longer owned is not found from that moment on, and all such
 *       copies are removed before the key can be owned again ({@link #forgetShards}, {@link
 *       #renew}). A reader that found the copy earlier may use it: other compute nodes write later
 *       than its snapshot, or the reader holds the lock.
 * </ul>
 *
 * <p>An address outlives its copy when there is no room for copies of all rows. The CVT is then
 * read from that address without a lookup in the index.
 *
 * <p>Two primary keys may share a LOTUS key. So the key in the record has to be compared, and the
 * index has to be searched if it is another one. A found address belongs to a CVT if the epoch was
 * pinned before: an entry is removed before its CVT is retired.
 */
public final class CvtCache implements OwnedCopies {
  private static final int STAMPS = 1 << 12;
  private static final int ADDRESSES_MIN = 1 << 16;

  /** Number of addresses per CVT copy; an address takes 8 bytes, a copy 150. */
  private static final int ADDRESSES_EACH = 16;

  /** A cache that keeps nothing. */
  static final CvtCache NONE = new CvtCache();

  private final boolean enabled;

  /**
   * Keys whose locks this compute node grants; null if the pool is exclusive, so that it grants
   * all.
   */
  private volatile LongPredicate owned;

  private final CvtTable entries;

  /** Addresses of CVTs, including those with evicted copies; changed together with the entries. */
  private final AddressCache addresses;

  private final AtomicLongArray sequences = new AtomicLongArray(STAMPS);
  private final LongAdder hits = new LongAdder();
  private final LongAdder addressHits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /**
   * Creates an empty cache.
   *
   * @param capacity maximum number of rows; each takes about 150 bytes
   */
  public CvtCache(int capacity) {
    this.enabled = true;
    this.entries = new CvtTable(capacity);
    int places = Integer.highestOneBit(Math.max(1, capacity)) * ADDRESSES_EACH;
    this.addresses = new AddressCache(Math.max(ADDRESSES_MIN, places));
  }

  private CvtCache() {
    this.enabled = false;
    this.entries = new CvtTable(1);
    this.addresses = new AddressCache(1);
  }

  /** Returns true if the cache keeps anything. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Returns true if the cache keeps the CVT of a key when it is read now. */
  public boolean isKept(long lotusKey) {
    LongPredicate keys = owned;
    return enabled && (keys == null || keys.test(lotusKey));
  }

  /**
   * Begins sharing: other compute nodes write, too, so only CVTs of owned keys are kept, and their
   * writes are reported here.
   */
  void share(LongPredicate isOwned) {
    owned = isOwned;
  }

  @Override
  public void forget(long key) {
    remove(key);
  }

  @Override
  public void written(long key) {
    invalidate(key, false);
  }

  @Override
  public long address(long key) {
    CachedCvt present = isKept(key) ? entries.get(key) : null;
    return present == null ? PoolAddress.NULL : present.address();
  }

  @Override
  public void forgetShards(LongPredicate keys) {
    if (!enabled) {
      return;
    }
    entries.awaitChanges(); // puts that saw the keys as owned are complete now
    entries.forEach(
        each -> {
          if (keys.test(each.lotusKey())) {
            remove(each.lotusKey());
          }
        });
    addresses.clear();
  }

  /**
   * Removes everything, since another compute node has erased tables, or is about to; no session
   * here uses one of these.
   */
  public void forgetAll() {
    forgetShards(_ -> true);
  }

  @Override
  public void renew() {
    for (int i = 0; enabled && i < STAMPS; i++) {
      sequences.incrementAndGet(i);
    }
  }

  /** Returns the cached CVT of a key of that store, or null. */
  public CachedCvt get(int storeId, long lotusKey) {
    if (!isKept(lotusKey)) {
      return null;
    }
    CachedCvt found = entries.get(lotusKey);
    if (found != null && found.storeId() == storeId) {
      hits.increment();
      return found;
    }
    long address = found == null ? addresses.get(lotusKey) : PoolAddress.NULL;
    if (address == PoolAddress.NULL) {
      misses.increment();
      return null;
    }
    addressHits.increment();
    return CachedCvt.at(storeId, lotusKey, address);
  }

  /** Returns the counts of the CVT copies. Sizes are in rows. */
  public CacheCounts counts() {
    if (!enabled) {
      return CacheCounts.NONE;
    }
    long entriesNow = entries.size();
    return new CacheCounts(
        hits.sum(), addressHits.sum() + misses.sum(), entriesNow, entriesNow, entries.capacity());
  }

  /**
   * Returns the counts of the addresses, which are searched if there is no copy. Sizes are in rows;
   * the number of known addresses is not counted.
   */
  public CacheCounts addressCounts() {
    return !enabled
        ? CacheCounts.NONE
        : new CacheCounts(addressHits.sum(), misses.sum(), 0, 0, addresses.entries());
  }

  /** Returns the sequence number of a key, which changes with every write of its CVT. */
  public long sequence(long lotusKey) {
    return enabled ? sequences.get(index(lotusKey)) : 0;
  }

  private void put(CachedCvt cvt) {
    ReentrantLock lock = entries.lock(cvt.lotusKey());
    lock.lock();
    try {
      if (isKept(cvt.lotusKey())) {
        entries.put(cvt);
        addresses.put(cvt.lotusKey(), cvt.address());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Caches a CVT that was read, unless it has been written since {@code sequence} was taken. The
   * caller has checked after the READ that no other transaction has write-locked the key, and that
   * all cells are settled.
   */
  public void putIfUnchanged(
      long lotusKey, long address, MemorySegment staging, int offset, int bytes, long sequence) {
    if (!isKept(lotusKey)) {
      return;
    }
    CachedCvt copy = CachedCvt.copy(lotusKey, address, staging, offset, bytes);
    ReentrantLock lock = entries.lock(lotusKey);
    lock.lock();
    try {
      if (sequence(lotusKey) == sequence && isKept(lotusKey)) {
        entries.put(copy);
        addresses.put(lotusKey, address);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Invalidates the copy of a CVT. Must be called under the write lock, before the CVT is written
   * and a timestamp is drawn.
   */
  public void invalidate(long lotusKey) {
    invalidate(lotusKey, true);
  }

  private void invalidate(long lotusKey, boolean keepsCells) {
    if (!enabled) {
      return;
    }
    sequences.incrementAndGet(index(lotusKey));
    ReentrantLock lock = entries.lock(lotusKey);
    lock.lock();
    try {
      CachedCvt present = entries.get(lotusKey);
      if (present != null) {
        entries.put(keepsCells ? present.invalidated() : present.withoutCopy());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds a CVT that is about to be written for the first time; the copy is invalid until then. */
  public void invalidateNew(int storeId, long lotusKey, long address, int cells, int blockClass) {
    if (!enabled) {
      return;
    }
    sequences.incrementAndGet(index(lotusKey));
    put(CachedCvt.empty(storeId, lotusKey, address, cells, blockClass));
  }

  /**
   * Applies a write to the copy. Must be called under the write lock, when the write is visible in
   * the pool.
   */
  public void publish(
      long lotusKey, long address, int cell, long word0, long word1, long overflow) {
    if (!enabled) {
      return;
    }
    sequences.incrementAndGet(index(lotusKey));
    ReentrantLock lock = entries.lock(lotusKey);
    lock.lock();
    try {
      CachedCvt present = entries.get(lotusKey);
      if (present != null && present.address() == address) {
        entries.put(present.withCell(cell, word0, word1, overflow));
      } else if (present != null) {
        entries.remove(lotusKey);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes the entry of a CVT. Must be called under the write lock, before the CVT is retired, and
   * after any other change.
   */
  public void remove(long lotusKey) {
    if (!enabled) {
      return;
    }
    sequences.incrementAndGet(index(lotusKey));
    ReentrantLock lock = entries.lock(lotusKey);
    lock.lock();
    try {
      entries.remove(lotusKey);
      addresses.forget(lotusKey);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks the invariants of the cache while no coordinator is in the middle of a step: each entry
   * can be found exactly once, and every readable copy equals the pool (invariant 9). CVTs of
   * write-locked keys may be changing, so they are not compared. For tests.
   *
   * @param isWriteLocked returns true if the write lock of a LOTUS key is held
   * @param pool returns the word at an address of the pool, without using the fabric
   * @throws IllegalStateException if an invariant is violated
   */
  public void verify(LongPredicate isWriteLocked, LongUnaryOperator pool) {
    entries.verify();
    entries.forEach(
        cvt -> {
          if (cvt.isReadable() && !isWriteLocked.test(cvt.lotusKey())) {
            cvt.verify(pool);
          }
        });
  }

  private static int index(long lotusKey) {
    return (int) (lotusKey >>> 12) & STAMPS - 1;
  }
}
