package org.nelumbo.dm.replication.resync;

import org.nelumbo.dm.replication.view.View;

/** Keeps those who write away from what is being copied. For whoever fills a memory node. */
public interface WriterHold {
  /**
   * Waits until nobody writes to a range any more; from then on nobody does.
   *
   * @param node that is being filled
   * @param slot of it
   * @param logical node of which a copy is in that slot
   * @return false if that is given up
   */
  boolean tryHold(View view, int node, int slot, int logical, long from, int length);

  /** Whoever writes there does so to the memory node, too, as far as it is filled. */
  void release();
}
