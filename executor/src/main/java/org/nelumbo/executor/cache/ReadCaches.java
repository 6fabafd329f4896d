package org.nelumbo.executor.cache;

import java.util.function.LongPredicate;

/**
 * What a compute node keeps of what its transactions have read. On a remote fabric, where a round
 * trip costs more than a look into a cache, that is CVTs, their addresses and, if wanted, records.
 * On a local fabric it is nothing ({@link #NONE}): reading is as cheap there. Both kinds have the
 * same caches; those of {@link #NONE} are always empty, so nobody has to ask which kind it has,
 * unless it does its work in another way ({@link #isRemote}). Thread-safe.
 */
public final class ReadCaches {
  /** The caches of a local fabric: nothing is kept. */
  public static final ReadCaches NONE = new ReadCaches(false, CvtCache.NONE, RecordCache.NONE);

  private final boolean remote;
  private final CvtCache cvts;
  private final RecordCache records;

  private ReadCaches(boolean remote, CvtCache cvts, RecordCache records) {
    this.remote = remote;
    this.cvts = cvts;
    this.records = records;
  }

  /**
   * The caches of a remote fabric.
   *
   * @param cvts rows whose CVTs are kept
   * @param recordBytes memory for records; 0: none are kept
   */
  public static ReadCaches remote(int cvts, long recordBytes) {
    return new ReadCaches(true, new CvtCache(cvts), new RecordCache(recordBytes));
  }

  /**
   * The caches of a compute node that is going to join others: no CVT is kept before {@link
   * #share}. Records are, which never change.
   *
   * @param cvts rows whose CVTs are kept
   * @param recordBytes memory for records; 0: none are kept
   */
  public static ReadCaches joining(int cvts, long recordBytes) {
    ReadCaches caches = remote(cvts, recordBytes);
    caches.cvts.share(_ -> false);
    return caches;
  }

  /**
   * Whether round trips are expensive: it pays to know what will be read, to share flushes between
   * many, and to leave to others what need not be done at once.
   */
  public boolean isRemote() {
    return remote;
  }

  /**
   * Others write, too, or are going to: CVTs are kept of those keys alone whose locks are granted
   * here, as {@link CvtCache} is told from now on.
   */
  public void share(LongPredicate isOwned) {
    if (cvts.isEnabled()) {
      cvts.share(isOwned);
    }
  }

  public CvtCache cvts() {
    return cvts;
  }

  public RecordCache records() {
    return records;
  }
}
