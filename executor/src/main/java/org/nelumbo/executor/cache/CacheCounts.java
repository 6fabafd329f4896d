package org.nelumbo.executor.cache;

/**
 * The approximate hits and misses of a cache of a compute node since the attach.
 *
 * @param hits number of requests that were found
 * @param misses number of requests that were not found, or only in an older version
 * @param entries present number of entries
 * @param used present size, in the unit of {@code capacity}
 * @param capacity maximum size
 */
public record CacheCounts(long hits, long misses, long entries, long used, long capacity) {
  /** The counts of a cache that does not exist. */
  public static final CacheCounts NONE = new CacheCounts(0, 0, 0, 0, 0);
}
