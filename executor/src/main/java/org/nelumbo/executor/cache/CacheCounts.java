package org.nelumbo.executor.cache;

/**
 * The hits and misses of a cache of a compute node since the attach, about.
 *
 * @param hits times that what was asked for was there
 * @param misses times that it was not, or only an older one
 * @param entries that are there now
 * @param used what they take, in the unit of {@code capacity}
 * @param capacity the most it may have
 */
public record CacheCounts(long hits, long misses, long entries, long used, long capacity) {
  /** Of a cache that there is not. */
  public static final CacheCounts NONE = new CacheCounts(0, 0, 0, 0, 0);
}
