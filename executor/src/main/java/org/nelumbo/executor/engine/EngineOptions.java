package org.nelumbo.executor.engine;

import java.util.function.Consumer;
import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.session.ConflictPolicy;

/**
 * The options of an engine.
 *
 * @param memoryBytes size of the pool; only touched memory is used
 * @param lockBuckets number of buckets of the lock table, a power of two; a bucket takes 128 bytes
 *     and holds 7 locks
 * @param conflictPolicy reaction of a transaction to a lock that another one holds
 * @param lockTimeoutNanos longest wait for a lock, where waiting is permitted
 * @param snapshotRetentionNanos longest time for which a snapshot may hold back the reuse of old
 *     versions
 * @param cachedCvts maximum number of CVTs cached on this compute node, 150 bytes each; none are
 *     cached on a local fabric
 * @param recordCacheBytes memory for records cached on this compute node; 0 for none; none are
 *     cached on a local fabric
 * @param minCopies number of live copies of the pool below which commits are refused
 * @param clock clock of the pool from the time when this engine shares it
 */
public record EngineOptions(
    long memoryBytes,
    int lockBuckets,
    ConflictPolicy conflictPolicy,
    long lockTimeoutNanos,
    long snapshotRetentionNanos,
    int cachedCvts,
    long recordCacheBytes,
    int minCopies,
    ClockKind clock) {
  private static final long SECOND = 1_000_000_000L;

  /**
   * 16 GiB reserved, a lock table of 256 KiB, wait-die with at most 10 s, snapshots of up to 10
   * minutes, no cached records.
   */
  public static final EngineOptions DEFAULT =
      new EngineOptions(
          16L << 30,
          1 << 11,
          ConflictPolicy.WAIT_DIE,
          10 * SECOND,
          600 * SECOND,
          1 << 18,
          0,
          1,
          ClockKind.VECTOR);

  public EngineOptions {
    if (memoryBytes <= 0) {
      throw new IllegalArgumentException("memory must be positive memoryBytes=" + memoryBytes);
    }
    if (Integer.bitCount(lockBuckets) != 1) {
      throw new IllegalArgumentException("not a power of two lockBuckets=" + lockBuckets);
    }
  }

  public EngineOptions withMemoryBytes(long value) {
    return with(draft -> draft.memoryBytes = value);
  }

  public EngineOptions withLockBuckets(int value) {
    return with(draft -> draft.lockBuckets = value);
  }

  public EngineOptions withConflictPolicy(ConflictPolicy value) {
    return with(draft -> draft.conflictPolicy = value);
  }

  public EngineOptions withLockTimeoutNanos(long value) {
    return with(draft -> draft.lockTimeoutNanos = value);
  }

  public EngineOptions withSnapshotRetentionNanos(long value) {
    return with(draft -> draft.snapshotRetentionNanos = value);
  }

  public EngineOptions withCachedCvts(int value) {
    return with(draft -> draft.cachedCvts = value);
  }

  public EngineOptions withRecordCacheBytes(long value) {
    return with(draft -> draft.recordCacheBytes = value);
  }

  public EngineOptions withMinCopies(int value) {
    return with(draft -> draft.minCopies = value);
  }

  public EngineOptions withClock(ClockKind value) {
    return with(draft -> draft.clock = value);
  }

  private EngineOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.toOptions();
  }

  private static final class Draft {
    private long memoryBytes;
    private int lockBuckets;
    private ConflictPolicy conflictPolicy;
    private long lockTimeoutNanos;
    private long snapshotRetentionNanos;
    private int cachedCvts;
    private long recordCacheBytes;
    private int minCopies;
    private ClockKind clock;

    Draft(EngineOptions of) {
      this.memoryBytes = of.memoryBytes;
      this.lockBuckets = of.lockBuckets;
      this.conflictPolicy = of.conflictPolicy;
      this.lockTimeoutNanos = of.lockTimeoutNanos;
      this.snapshotRetentionNanos = of.snapshotRetentionNanos;
      this.cachedCvts = of.cachedCvts;
      this.recordCacheBytes = of.recordCacheBytes;
      this.minCopies = of.minCopies;
      this.clock = of.clock;
    }

    EngineOptions toOptions() {
      return new EngineOptions(
          memoryBytes,
          lockBuckets,
          conflictPolicy,
          lockTimeoutNanos,
          snapshotRetentionNanos,
          cachedCvts,
          recordCacheBytes,
          minCopies,
          clock);
    }
  }
}
