package org.nelumbo.executor.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The address cache of LOTUS section 5: the addresses of CVTs, for many more keys than the CVT
 * cache holds copies of. Direct-mapped: each key has one possible slot, of one word, and a new key
 * replaces the previous one. A found address may belong to another key's CVT (sixteen bits of the
 * key are compared), so the reader compares the key in the CVT. Thread-safe.
 */
final class AddressCache {
  private static final int TAG_BITS = Long.SIZE - PoolAddress.BITS;
  private static final long ADDRESS_MASK = -1L >>> TAG_BITS;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;

  /**
   * Creates an empty cache.
   *
   * @param entries number of slots, a power of two
   */
  AddressCache(int entries) {
    this.words = new long[entries];
  }

  /** Returns an address at which the CVT of a key may be; NULL if it is unknown. */
  long get(long lotusKey) {
    long hash = hash(lotusKey);
    long word = (long) WORD.getVolatile(words, index(hash));
    return (word ^ hash) >>> PoolAddress.BITS == 0 ? word & ADDRESS_MASK : PoolAddress.NULL;
  }

  /** Returns the number of slots. */
  int entries() {
    return words.length;
  }

  void put(long lotusKey, long address) {
    long hash = hash(lotusKey);
    WORD.setVolatile(words, index(hash), hash & ~ADDRESS_MASK | address);
  }

  /** Clears all slots. */
  void clear() {
    Arrays.fill(words, 0);
    VarHandle.fullFence(); // one fence for all words, instead of one per volatile write
  }

  void forget(long lotusKey) {
    if (get(lotusKey) != PoolAddress.NULL) {
      WORD.setVolatile(words, index(hash(lotusKey)), 0L);
    }
  }

  private int index(long hash) {
    return (int) hash & words.length - 1;
  }

  private static long hash(long lotusKey) {
    long mixed = (lotusKey ^ lotusKey >>> 32) * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 29;
  }
}
