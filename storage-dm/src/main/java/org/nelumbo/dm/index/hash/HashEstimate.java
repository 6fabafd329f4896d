package org.nelumbo.dm.index.hash;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.pool.Channel;

/**
 * Estimate of the number of entries of an index, made without a verb from its directory and from
 * how full its segments are: as they usually are, until so many entries have been removed that this
 * is no longer to be trusted; then as they were when looked at. Thread-safe.
 */
public final class HashEstimate {
  /** Entries of a segment, on the average between two splits. */
  private static final int USUAL_ENTRIES = 540;

  /** One entry of this many has been removed since: time to look again. */
  private static final int REMOVED_SHARE = 4;

  private final long root;
  private final DirectoryCache directory;
  private final AtomicLong removed = new AtomicLong();
  private volatile double entriesPerSegment = USUAL_ENTRIES;

  HashEstimate(long root, DirectoryCache directory) {
    this.root = root;
    this.directory = directory;
  }

  /** An entry has been removed. */
  void entryRemoved() {
    removed.getAndIncrement();
  }

  /**
   * The number of entries, right within a factor of two or so from one segment on; 0 if the index
   * has not been used yet.
   */
  public long entries() {
    return entries(directory.segments());
  }

  private long entries(long segments) {
    return Math.round(segments * entriesPerSegment);
  }

  /**
   * Whether so much was removed since, or segments were found so empty that inserts may fill them
   * for long before one splits, that {@link #measure} would give a better estimate: segments split
   * as entries come, but never join as they go. An index of one segment is small, whatever is in
   * it.
   */
  public boolean isOutdated() {
    long segments = directory.segments();
    return segments > 1
        && (entriesPerSegment < USUAL_ENTRIES / 2.0
            || removed.get() * REMOVED_SHARE > entries(segments));
  }

  /** Looks how full a few segments are. */
  public void measure(Channel channel) {
    if (directory.segments() > 1) {
      double entries = new HashInspection(root).entriesPerSegment(channel);
      removed.set(0);
      entriesPerSegment = Math.min(entries, USUAL_ENTRIES);
    }
  }
}
