package org.nelumbo.dm.alloc;

import org.nelumbo.dm.layout.SizeClass;

/**
 * The memory of a pool as found by an attaching compute node: the bytes that the nodes had
 * allocated, and the blocks in use. The rest is free ({@link ChunkPool#restore}).
 */
public abstract class MemoryInUse {
  /** Number of blocks in use, by class. */
  final long[] liveBlocks;

  MemoryInUse(long[] liveBlocks) {
    this.liveBlocks = liveBlocks;
  }

  /** Receives the free ranges. */
  interface Gaps {
    /** Receives a range of pool addresses, multiples of 16, on one node. */
    void gap(long start, long end);
  }

  /** Returns the bytes of a node that were allocated in chunks. */
  abstract long takenBytes(int node);

  /** Passes on all ranges that are free in the allocated part of a node. */
  abstract void gaps(int node, Gaps out);

  /** Returns the bytes of all blocks in use. */
  public final long liveBytes() {
    long bytes = 0;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      bytes += liveBlocks[i] * SizeClass.bytes(i);
    }
    return bytes;
  }
}
