package org.nelumbo.executor.txn;

/**
 * How an engine is set up.
 *
 * @param memoryBytes size of the pool; only what is touched costs memory
 * @param lockBuckets buckets of the lock table, a power of two; 128 bytes each, for 7 locks
 * @param conflictPolicy what a transaction does about a lock that another holds
 * @param lockTimeoutNanos how long it waits at most, where it may wait
 * @param snapshotRetentionNanos how long a snapshot may hold back the reuse of old versions
 * @param cachedCvts rows whose CVTs are remembered on this compute node, 150 bytes each; on a local
 *     fabric none are
 * @param recordCacheBytes memory for records that are remembered on this compute node; 0: none are,
 *     nor on a local fabric
 */
public record EngineOptions(
    long memoryBytes,
    int lockBuckets,
    ConflictPolicy conflictPolicy,
    long lockTimeoutNanos,
    long snapshotRetentionNanos,
    int cachedCvts,
    long recordCacheBytes) {
  private static final long SECOND = 1_000_000_000L;

  /**
   * 16 GiB reserved, a lock table of 256 KiB, wait-die with 10 s at most, snapshots of up to 10
   * minutes, no records remembered.
   */
  public static final EngineOptions DEFAULT =
      new EngineOptions(
          16L << 30, 1 << 11, ConflictPolicy.WAIT_DIE, 10 * SECOND, 600 * SECOND, 1 << 18, 0);

  public EngineOptions {
    if (memoryBytes <= 0) {
      throw new IllegalArgumentException("memory must be positive memoryBytes=" + memoryBytes);
    }
    if (Integer.bitCount(lockBuckets) != 1) {
      throw new IllegalArgumentException("not a power of two lockBuckets=" + lockBuckets);
    }
  }

  public EngineOptions withMemoryBytes(long bytes) {
    return new EngineOptions(
        bytes,
        lockBuckets,
        conflictPolicy,
        lockTimeoutNanos,
        snapshotRetentionNanos,
        cachedCvts,
        recordCacheBytes);
  }

  public EngineOptions withLockBuckets(int buckets) {
    return new EngineOptions(
        memoryBytes,
        buckets,
        conflictPolicy,
        lockTimeoutNanos,
        snapshotRetentionNanos,
        cachedCvts,
        recordCacheBytes);
  }

  public EngineOptions withConflictPolicy(ConflictPolicy policy) {
    return new EngineOptions(
        memoryBytes,
        lockBuckets,
        policy,
        lockTimeoutNanos,
        snapshotRetentionNanos,
        cachedCvts,
        recordCacheBytes);
  }

  public EngineOptions withLockTimeoutNanos(long nanos) {
    return new EngineOptions(
        memoryBytes,
        lockBuckets,
        conflictPolicy,
        nanos,
        snapshotRetentionNanos,
        cachedCvts,
        recordCacheBytes);
  }

  public EngineOptions withSnapshotRetentionNanos(long nanos) {
    return new EngineOptions(
        memoryBytes,
        lockBuckets,
        conflictPolicy,
        lockTimeoutNanos,
        nanos,
        cachedCvts,
        recordCacheBytes);
  }

  public EngineOptions withCachedCvts(int rows) {
    return new EngineOptions(
        memoryBytes,
        lockBuckets,
        conflictPolicy,
        lockTimeoutNanos,
        snapshotRetentionNanos,
        rows,
        recordCacheBytes);
  }

  public EngineOptions withRecordCacheBytes(long bytes) {
    return new EngineOptions(
        memoryBytes,
        lockBuckets,
        conflictPolicy,
        lockTimeoutNanos,
        snapshotRetentionNanos,
        cachedCvts,
        bytes);
  }
}
