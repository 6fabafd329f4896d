package org.nelumbo.dm.replication.resync;

import org.nelumbo.dm.replication.view.View;

/** A write barrier, which blocks writes to a range while it is copied to a memory node. */
public interface WriteBarrier {
  /**
   * Raises the barrier for a range: waits for writes in progress there, and blocks later ones.
   *
   * @param node memory node that is being filled or compared
   * @param slot slot of that node
   * @param logical logical node whose copy is in that slot
   * @return false if the attempt was given up
   */
  boolean tryHold(View view, int node, int slot, int logical, long from, int length);

  /**
   * Removes the barrier. Later writes to the range also go to the memory node, as far as it is
   * filled.
   */
  void release();
}
