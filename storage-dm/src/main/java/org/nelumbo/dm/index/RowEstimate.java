package org.nelumbo.dm.index;

import org.nelumbo.dm.pool.Channel;

/** An estimate of the number of entries of an index, without a verb. Thread-safe. */
public interface RowEstimate {
  /** Returns the number of entries, within a factor of about two; 0 if the index is unused. */
  long entries();

  /** Returns true if {@link #measure} would give a better estimate. */
  boolean isOutdated();

  /** Measures the fill of a part of the index. */
  void measure(Channel channel);
}
