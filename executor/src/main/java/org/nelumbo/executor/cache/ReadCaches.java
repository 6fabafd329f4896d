package org.nelumbo.executor.cache;

import java.util.function.LongPredicate;

/**
 * The caches of a compute node for data that its transactions have read. On a remote fabric, where
 * a round trip costs more than a cache lookup, these are CVTs, their addresses and optionally
 * records. On a local fabric, where reading is equally cheap, nothing is cached ({@link #NONE}).
 * Both kinds have the same caches; those of {@link #NONE} are always empty, so callers need not
 * distinguish the kinds, unless they work differently ({@link #isRemote}). Thread-safe.
 */
public final class ReadCaches {
  /** The caches of a local fabric, which keep nothing. */
  public static final ReadCaches NONE =
      new ReadCaches(false, CvtCache.NONE, RecordCache.NONE, OwnedLeaves.NONE);

  private final boolean remote;
  private final CvtCache cvts;
  private final RecordCache records;
  private final OwnedLeaves leaves;

  private ReadCaches(boolean remote, CvtCache cvts, RecordCache records, OwnedLeaves leaves) {
    this.leaves = leaves;
    this.remote = remote;
    this.cvts = cvts;
    this.records = records;
  }

  /**
   * Creates the caches of a remote fabric.
   *
   * @param cvts maximum number of cached CVTs
   * @param recordBytes memory for records in bytes; 0 to keep none
   */
  public static ReadCaches remote(int cvts, long recordBytes) {
    return new ReadCaches(true, new CvtCache(cvts), new RecordCache(recordBytes), OwnedLeaves.NONE);
  }

  /**
   * Creates the caches of a compute node that is going to join a shared pool. No CVT is kept before
   * {@link #share}; records, which never change, are.
   *
   * @param cvts maximum number of cached CVTs
   * @param recordBytes memory for records in bytes; 0 to keep none
   */
  public static ReadCaches joining(int cvts, long recordBytes) {
    ReadCaches caches =
        new ReadCaches(true, new CvtCache(cvts), new RecordCache(recordBytes), new OwnedLeaves());
    caches.cvts.share(_ -> false);
    return caches;
  }

  /**
   * Returns true if round trips are expensive: it then pays to predict reads, to share flushes
   * among many operations, and to leave work that is not urgent to other threads.
   */
  public boolean isRemote() {
    return remote;
  }

  /**
   * Begins sharing: other compute nodes write, too, or are going to. From now on CVTs are kept only
   * for keys whose locks are granted here, and {@link CvtCache} has to be notified of writes.
   */
  public void share(LongPredicate isOwned) {
    if (leaves != OwnedLeaves.NONE) {
      leaves.share(isOwned);
    }
    if (cvts.isEnabled()) {
      cvts.share(isOwned);
    }
  }

  public CvtCache cvts() {
    return cvts;
  }

  /** Returns the copies of what is locked here, for the granter of the locks. */
  public OwnedCopies copies() {
    return new OwnedCopiesOfAll(cvts, leaves);
  }

  public OwnedLeaves leaves() {
    return leaves;
  }

  public RecordCache records() {
    return records;
  }
}
