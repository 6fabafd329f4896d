package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.pool.PoolAddress;

/**
 * Thrown if a segment stays latched although its owner does not share the pool. Once {@link
 * HashIndex#repair} has finished the owner's work the operation can be repeated.
 */
public final class SegmentLatchedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int owner;

  SegmentLatchedException(long segment, int owner) {
    super(
        "hash segment stays latched, its owner may have failed: repair the index segment="
            + PoolAddress.toString(segment)
            + " owner="
            + owner);
    this.owner = owner;
  }

  /** Returns the owner of the segment's latch. */
  public int owner() {
    return owner;
  }
}
