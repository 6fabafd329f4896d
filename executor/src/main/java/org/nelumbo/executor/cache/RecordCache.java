package org.nelumbo.executor.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records that a compute node has read or written, so that rows which are asked for again and again
 * are not read from the pool again. Together with the {@link CvtCache}, which says what the newest
 * version of a row is and where, a read of such a row takes no round trip. Thread-safe.
 *
 * <p><b>Never another record.</b> One is found by its address and its version. A record does not
 * change, and its memory is not used again while anybody may need that version; what is written
 * there later, in the inline slot of a CVT perhaps while the cell is the old one still, has a later
 * version, since timestamps only grow. So whoever holds a cell with that address and version, and
 * may use it (it has the key's lock, or a snapshot that is not too old), gets what is in the pool.
 */
public final class RecordCache {
  /** What an entry takes beside the record. */
  private static final int ENTRY_BYTES = 128;

  /** One that keeps nothing. */
  static final RecordCache NONE = new RecordCache(0);

  private final boolean enabled;

  /** Null if nothing is kept. */
  private final Cache<Long, CachedRecord> records;

  private final long capacity;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private record CachedRecord(long version, byte[] bytes) {}

  /**
   * An empty cache.
   *
   * @param capacity bytes it may take; 0: it keeps nothing
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

  /** Whether anything is ever kept. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Keeps a record that lies in a staging buffer. */
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

  /** Whether the record is here. */
  public boolean contains(long address, long version) {
    if (!enabled) {
      return false;
    }
    CachedRecord found = records.getIfPresent(address);
    return found != null && found.version == version;
  }

  /** Copies a record into a staging buffer, at most so many bytes, if it is here. */
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

  /** What it has done; {@link #get} is what counts. In bytes. */
  public CacheCounts counts() {
    if (!enabled) {
      return CacheCounts.NONE;
    }
    long used = records.policy().eviction().map(e -> e.weightedSize().orElse(0)).orElse(0L);
    return new CacheCounts(hits.sum(), misses.sum(), records.estimatedSize(), used, capacity);
  }
}
