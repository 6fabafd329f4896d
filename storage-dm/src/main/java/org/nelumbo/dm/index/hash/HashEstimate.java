package org.nelumbo.dm.index.hash;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.index.RowEstimate;
import org.nelumbo.dm.pool.Channel;

/**
 * An estimate of the number of entries of an index, without a verb: from its directory and the fill
 * of its segments. The fill is the usual one until so many entries have been removed that it cannot
 * be trusted; then it is the last measured one. Thread-safe.
 */
public final class HashEstimate implements RowEstimate {
  /** Average number of entries of a segment between two splits. */
  private static final int USUAL_ENTRIES = 540;

  /** If one entry in this many has been removed since, the fill is measured again. */
  private static final int REMOVED_SHARE = 4;

  private final long root;
  private final DirectoryCache directory;
  private final AtomicLong removed = new AtomicLong();
  private volatile double entriesPerSegment = USUAL_ENTRIES;

  HashEstimate(long root, DirectoryCache directory) {
    this.root = root;
    this.directory = directory;
  }

  void entryRemoved() {
    removed.getAndIncrement();
  }

  /**
   * Returns the number of entries, within a factor of about two from one segment on; 0 if the index
   * has not been used yet.
   */
  @Override
  public long entries() {
    return entries(directory.segments());
  }

  private long entries(long segments) {
    return Math.round(segments * entriesPerSegment);
  }

  /**
   * Returns true if {@link #measure} would give a better estimate: because so many entries were
   * removed since, or because segments were so empty that inserts may fill them for a long time
   * before one splits. Segments split when entries are inserted, but never merge when entries are
   * removed. An index of one segment is small in any case.
   */
  @Override
  public boolean isOutdated() {
    long segments = directory.segments();
    return segments > 1
        && (entriesPerSegment < USUAL_ENTRIES / 2.0
            || removed.get() * REMOVED_SHARE > entries(segments));
  }

  /** Measures the fill of a few segments. */
  @Override
  public void measure(Channel channel) {
    if (directory.segments() > 1) {
      double entries = new HashInspection(root).entriesPerSegment(channel);
      removed.set(0);
      entriesPerSegment = Math.min(entries, USUAL_ENTRIES);
    }
  }
}
