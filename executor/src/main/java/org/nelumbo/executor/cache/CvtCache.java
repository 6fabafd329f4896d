package org.nelumbo.executor.cache;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The VT cache (LOTUS section 4.4) and the address cache (section 5) of a compute node: LOTUS key
 * to what is known of the CVT. An address saves the round trip to the hash index, a copy that of
 * the CVT. Thread-safe.
 *
 * <p><b>What is read is what the pool holds</b> for whoever has the key's lock; and for a snapshot
 * whatever it may see: a copy is invalidated before the commit timestamp of a write is drawn, so a
 * copy that is found lacks only versions with later timestamps than any snapshot that exists.
 *
 * <p><b>Never older than a write</b> (invariant 9 of {@code docs/architecture.md}). Whoever changes
 * a CVT holds its write lock and calls {@link #invalidate} before and {@link #publish} or {@link
 * #remove} after it; each makes a new sequence number. Whoever reads a CVT takes the {@link
 * #sequence} before; who does not hold the key's lock sees afterwards that the key is not
 * write-locked; and the copy is offered with {@link #putIfUnchanged}. A writer that came between is
 * seen: one that has the lock at the look is seen there; one that had it before ended, and one that
 * took it later began, with a new sequence number, or removes the copy after it was put.
 *
 * <p><b>Where others write, too</b> ({@link #share}), only what this compute node owns is kept:
 * keys whose locks it grants. It is told before another one gets such a lock for writing, and
 * before it is given back ({@link #written}): so a writer elsewhere makes the sequence numbers that
 * a writer here makes, but leaves no copy, only the address; nor that if it may retire the CVT
 * ({@link #forget}), which only a collector does of rows that anybody may have found. A copy of a
 * key that is not owned is not found from that moment on, and all are gone before the key may be
 * owned again ({@link #forgetShards}, {@link #renew}). Whoever has found one before may use it:
 * others write later than its snapshot, or it has the lock.
 *
 * <p>An address outlives the copy when there is no room for copies of all rows: then the CVT is
 * read from there, without asking the index.
 *
 * <p>Two primary keys may share a LOTUS key: the key in the record has to be compared, and the
 * index asked if it is not the wanted one. An address that is found is that of a CVT as long as the
 * epoch was pinned before: an entry is forgotten before its CVT is retired.
 */
public final class CvtCache implements OwnedCopies {
  private static final int STAMPS = 1 << 12;
  private static final int ADDRESSES_MIN = 1 << 16;

  /** Addresses for each CVT: eight bytes instead of 150. */
  private static final int ADDRESSES_EACH = 16;

  /** One that keeps nothing. */
  static final CvtCache NONE = new CvtCache();

  private final boolean enabled;

  /** Which keys this compute node grants locks of; null if it has the pool alone: all. */
  private volatile LongPredicate owned;

  private final CvtTable entries;

  /** Where CVTs lie whose entry had to go; changed together with the entries. */
  private final AddressCache addresses;

  private final AtomicLongArray sequences = new AtomicLongArray(STAMPS);
  private final LongAdder hits = new LongAdder();
  private final LongAdder addressHits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /**
   * An empty cache.
   *
   * @param capacity rows it has room for; each takes about 150 bytes
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

  /** Whether anything is kept. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether the CVT of a key is kept, if it is read now. */
  public boolean isKept(long lotusKey) {
    LongPredicate keys = owned;
    return enabled && (keys == null || keys.test(lotusKey));
  }

  /**
   * From now on others write, too: only what is owned is kept, and this is told of their writes.
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
    entries.awaitChanges(); // whoever has seen the keys owned has put what it puts
    entries.forEach(
        each -> {
          if (keys.test(each.lotusKey())) {
            remove(each.lotusKey());
          }
        });
    addresses.clear();
  }

  /** Another compute node has erased tables, or is about to: no session here has one of them. */
  public void forgetAll() {
    forgetShards(_ -> true);
  }

  @Override
  public void renew() {
    for (int i = 0; enabled && i < STAMPS; i++) {
      sequences.incrementAndGet(i);
    }
  }

  /** What is known of the CVT of a key of that store, or null. */
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

  /** What the copies of CVTs have done. In rows. */
  public CacheCounts counts() {
    if (!enabled) {
      return CacheCounts.NONE;
    }
    long entriesNow = entries.size();
    return new CacheCounts(
        hits.sum(), addressHits.sum() + misses.sum(), entriesNow, entriesNow, entries.capacity());
  }

  /**
   * What the addresses have done, which are asked where there is no copy. In rows; how many are
   * known is not counted.
   */
  public CacheCounts addressCounts() {
    return !enabled
        ? CacheCounts.NONE
        : new CacheCounts(addressHits.sum(), misses.sum(), 0, 0, addresses.places());
  }

  /** Changes with every write of the key's CVT. */
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
   * Caches a CVT that was read, unless it has been written since {@code sequence} was taken; after
   * the read the key was seen not to be write-locked by another one, and all cells are settled.
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

  /** To be called under the write lock before the CVT is written and a timestamp is drawn. */
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

  /** Puts in a CVT that is about to be filled for the first time; it is invalid until then. */
  public void invalidateNew(int storeId, long lotusKey, long address, int cells, int blockClass) {
    if (!enabled) {
      return;
    }
    sequences.incrementAndGet(index(lotusKey));
    put(CachedCvt.empty(storeId, lotusKey, address, cells, blockClass));
  }

  /** To be called, still under the write lock, when the write is visible in the pool. */
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

  /** To be called under the write lock before a CVT is retired, and after any other change. */
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
   * Checks what must hold while no coordinator is in the middle of a step: every entry can be found
   * once, and every copy that may be read is what the pool holds (invariant 9). The CVT of a key
   * that is write-locked may be on its way to change, so it is not compared. For tests.
   *
   * @param isWriteLocked whether somebody holds the write lock of a LOTUS key
   * @param pool the word at an address of the pool, read past the fabric
   * @throws IllegalStateException if it does not hold
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
