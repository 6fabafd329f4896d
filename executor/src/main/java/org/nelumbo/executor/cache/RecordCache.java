package org.nelumbo.executor.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records that a compute node has read or written, so that frequently requested rows need not be
 * read from the pool again. Together with the {@link CvtCache}, which has the newest version of a
 * row and its address, a read of such a row takes no round trip. Thread-safe.
 *
 * <p><b>A found record is the right one</b>, since it is found by its address and its version. A
 * record does not change, and its memory is not reused while any transaction may need that version.
 * A record that is written there later has a later version, since timestamps only grow; in the
 * inline slot of a CVT that may even happen while the cell is still the old one. So a reader of a
 * cell with that address and version gets the record that is in the pool, if it may use the cell:
 * it holds the key's lock, or a snapshot that is not too old.
 */
public final class RecordCache {
  /** Size of an entry in addition to the record. */
  private static final int ENTRY_BYTES = 128;

  /** A cache that keeps nothing. */
  static final RecordCache NONE = new RecordCache(0);

  private final boolean enabled;

  private final Cache<Long, CachedRecord> records;

  private final long capacity;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private record CachedRecord(long version, byte[] bytes) {}

  /**
   * Creates an empty cache.
   *
   * @param capacity maximum size in bytes; 0 to keep nothing
   */
  public RecordCache(long capacity) {
    this.capacity = capacity;
    this.enabled = capacity > 0;
    this.records = enabled ? newCache(capacity) : null;
  }

  private static Cache<Long, CachedRecord> newCache(long capacity) {
    return Caffeine.newBuilder()
        .maximumWeight(capacity)
        .weigher((Long address, CachedRecord record) -> ENTRY_BYTES + record.bytes.length)
        .executor(Runnable::run)
        .build();
  }

  /** Returns true if the cache keeps anything. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Adds a record from a staging buffer. */
  public void put(long address, long version, MemorySegment staging, int offset, int length) {
    if (!enabled) {
      return;
    }
    byte[] bytes = new byte[length];
    MemorySegment.copy(staging, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
    records.put(address, new CachedRecord(version, bytes));
  }

  /** Removes a record whose memory is free. */
  public void remove(long address) {
    if (enabled) {
      records.invalidate(address);
    }
  }

  /** Returns true if the record is cached. */
  public boolean contains(long address, long version) {
    if (!enabled) {
      return false;
    }
    CachedRecord found = records.getIfPresent(address);
    return found != null && found.version == version;
  }

  /**
   * Copies at most {@code length} bytes of a record into a staging buffer; returns false if the
   * record is not cached.
   */
  public boolean get(long address, long version, MemorySegment staging, int offset, int length) {
    if (!enabled) {
      return false;
    }
    CachedRecord found = records.getIfPresent(address);
    if (found == null || found.version != version) {
      misses.increment();
      return false;
    }
    hits.increment();
    MemorySegment.copy(
        found.bytes,
        0,
        staging,
        ValueLayout.JAVA_BYTE,
        offset,
        Math.min(length, found.bytes.length));
    return true;
  }

  /** Returns the counts of {@link #get}; sizes are in bytes. */
  public CacheCounts counts() {
    if (!enabled) {
      return CacheCounts.NONE;
    }
    long used = records.policy().eviction().map(e -> e.weightedSize().orElse(0)).orElse(0L);
    return new CacheCounts(hits.sum(), misses.sum(), records.estimatedSize(), used, capacity);
  }
}
