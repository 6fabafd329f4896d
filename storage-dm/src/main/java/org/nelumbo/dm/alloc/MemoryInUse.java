package org.nelumbo.dm.alloc;

import org.nelumbo.dm.layout.SizeClass;

/**
 * The memory of a pool as a compute node finds it when it attaches: how much the nodes had handed
 * out, and what of that is in use. The rest is free ({@link ChunkPool#restore}).
 */
public abstract class MemoryInUse {
  /** Blocks in use, by class. */
  final long[] liveBlocks;

  MemoryInUse(long[] liveBlocks) {
    this.liveBlocks = liveBlocks;
  }

  /** Receives what is free. */
  interface Gaps {
    /** Pool addresses, multiples of 16, on one node. */
    void gap(long start, long end);
  }

  /** Bytes of a node that were handed out in chunks. */
  abstract long takenBytes(int node);

  /** Tells all that is free of what a node had handed out. */
  abstract void gaps(int node, Gaps out);

  /** Bytes of all blocks in use. */
  public final long liveBytes() {
    long bytes = 0;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      bytes += liveBlocks[i] * SizeClass.bytes(i);
    }
    return bytes;
  }
}
