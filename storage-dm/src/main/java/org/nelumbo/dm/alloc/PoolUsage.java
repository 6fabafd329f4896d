package org.nelumbo.dm.alloc;

import org.nelumbo.dm.layout.SizeClass;

/**
 * Use of the pool's memory, summed over the shared free lists and all allocators (see {@code addTo}
 * of both): bytes taken, in use, free, retired, spare. Exact while none of them works; {@link
 * #isBalanced} then shows that nothing leaked. An allocator that frees what another allocated has
 * negative live counts of its own, so only the sum over all means something.
 */
public final class PoolUsage {
  private long takenBytes;
  private long freeBytes;
  private long retiredBytes;
  private long spareBytes;
  private final long[] liveBlocks = new long[SizeClass.COUNT];

  void addTaken(long bytes) {
    takenBytes += bytes;
  }

  void addFree(long bytes) {
    freeBytes += bytes;
  }

  void addRetired(long bytes) {
    retiredBytes += bytes;
  }

  void addSpare(long bytes) {
    spareBytes += bytes;
  }

  void addLive(int sizeClass, long blocks) {
    liveBlocks[sizeClass] += blocks;
  }

  /** Adds that of another compute node. */
  public void add(PoolUsage other) {
    takenBytes += other.takenBytes;
    freeBytes += other.freeBytes;
    retiredBytes += other.retiredBytes;
    spareBytes += other.spareBytes;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      liveBlocks[i] += other.liveBlocks[i];
    }
  }

  /** Blocks that were allocated to be held back for an emergency count as free. */
  public void addHeldBack(int sizeClass, long blocks) {
    addLive(sizeClass, -blocks);
    addFree(blocks * SizeClass.bytes(sizeClass));
  }

  /** Bytes taken from the memory nodes as chunks. */
  public long takenBytes() {
    return takenBytes;
  }

  /** Bytes in free lists, or held back. */
  public long freeBytes() {
    return freeBytes;
  }

  /** Bytes that wait for readers. */
  public long retiredBytes() {
    return retiredBytes;
  }

  /** Bytes of chunks that have not been cut into blocks yet. */
  public long spareBytes() {
    return spareBytes;
  }

  /** Blocks of a class in use. */
  public long liveBlocks(int sizeClass) {
    return liveBlocks[sizeClass];
  }

  /** Bytes of all blocks in use. */
  public long liveBytes() {
    long bytes = 0;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      bytes += liveBlocks[i] * SizeClass.bytes(i);
    }
    return bytes;
  }

  /** Whether every byte taken is in use, free, retired or spare. */
  public boolean isBalanced() {
    return takenBytes == liveBytes() + freeBytes + retiredBytes + spareBytes;
  }

  @Override
  public String toString() {
    return "taken="
        + takenBytes
        + " live="
        + liveBytes()
        + " free="
        + freeBytes
        + " retired="
        + retiredBytes
        + " spare="
        + spareBytes;
  }
}
