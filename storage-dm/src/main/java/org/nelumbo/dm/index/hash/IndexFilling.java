package org.nelumbo.dm.index.hash;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How full the segments of an index are: what they usually are, until so many entries have been
 * removed that this is no longer to be trusted; then what they were when looked at. Thread-safe.
 */
final class IndexFilling {
  /** Entries of a segment, on the average between two splits. */
  static final int USUAL_ENTRIES = 540;

  /** One entry of this many has been removed since: time to look again. */
  private static final int REMOVED_SHARE = 4;

  private final AtomicLong removed = new AtomicLong();
  private volatile double entriesPerSegment = USUAL_ENTRIES;

  /** An entry has been removed. */
  void entryRemoved() {
    removed.getAndIncrement();
  }

  long estimate(long segments) {
    return Math.round(segments * entriesPerSegment);
  }

  /**
   * Whether to look again: much was removed, or segments were found so empty that inserts may fill
   * them for long before one splits. An index of one segment is small, whatever is in it.
   */
  boolean isOutdated(long segments) {
    return segments > 1
        && (entriesPerSegment < USUAL_ENTRIES / 2.0
            || removed.get() * REMOVED_SHARE > estimate(segments));
  }

  void measured(double entries) {
    removed.set(0);
    entriesPerSegment = Math.min(entries, USUAL_ENTRIES);
  }
}
