package org.nelumbo.dm.alloc;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;

/**
 * Use of the pool's memory, summed over the shared free lists and all allocators (see {@code addTo}
 * of both): bytes taken, in use, free, retired, spare. Exact while none of them is used; {@link
 * #isBalanced} then shows that nothing leaked. An allocator that frees blocks of another one has
 * negative live counts of its own, so only the sum over all is meaningful.
 */
public final class PoolUsage {
  private long takenBytes;
  private long freeBytes;
  private long retiredBytes;
  private long spareBytes;
  private final long[] liveBlocks = new long[SizeClass.COUNT];

  /** Extents that are free, retired or spare; null if only bytes are counted. */
  private final List<Extent> unused;

  /** A part of the pool, from the start inclusive to the end exclusive. */
  public record Extent(long start, long end) {}

  /** Creates an empty sum that counts bytes only. */
  public PoolUsage() {
    this(null);
  }

  private PoolUsage(List<Extent> unused) {
    this.unused = unused;
  }

  /** Creates an empty sum that also records the extents not in use. */
  public static PoolUsage withExtents() {
    return new PoolUsage(new ArrayList<>());
  }

  /** Returns the extents that are not in use. */
  public List<Extent> unused() {
    return unused;
  }

  void addTaken(long bytes) {
    takenBytes += bytes;
  }

  void addFree(int sizeClass, LongStack blocks) {
    freeBytes += (long) blocks.size() * SizeClass.bytes(sizeClass);
    for (int i = 0; unused != null && i < blocks.size(); i++) {
      note(blocks.get(i), blocks.get(i) + SizeClass.bytes(sizeClass));
    }
  }

  void addRetired(RetireQueue queue) {
    retiredBytes += queue.bytes();
    if (unused != null) {
      queue.forEach((block, sizeClass) -> note(block, block + SizeClass.bytes(sizeClass)));
    }
  }

  /** Adds free runs that may still have readers. */
  void addRetired(long[] runs) {
    for (long run : runs) {
      retiredBytes += FreeSpaceMapLayout.bytes(run);
      long start = FreeSpaceMapLayout.address(run);
      note(start, start + FreeSpaceMapLayout.bytes(run));
    }
  }

  void addSpare(long start, long end) {
    spareBytes += end - start;
    note(start, end);
  }

  private void note(long start, long end) {
    if (unused != null && start < end) {
      unused.add(new Extent(start, end));
    }
  }

  void addLive(int sizeClass, long blocks) {
    liveBlocks[sizeClass] += blocks;
  }

  /** Adds the usage of another compute node. */
  public void add(PoolUsage other) {
    takenBytes += other.takenBytes;
    freeBytes += other.freeBytes;
    retiredBytes += other.retiredBytes;
    spareBytes += other.spareBytes;
    if (unused != null && other.unused != null) {
      unused.addAll(other.unused);
    }
    for (int i = 0; i < SizeClass.COUNT; i++) {
      liveBlocks[i] += other.liveBlocks[i];
    }
  }

  /** Counts blocks as free that were allocated as an emergency reserve. */
  public void addHeldBack(int sizeClass, long[] blocks) {
    addHeldBack(sizeClass, blocks.length);
    for (long block : blocks) {
      note(block, block + SizeClass.bytes(sizeClass));
    }
  }

  /** Counts blocks as free although they contain data. */
  public void addHeldBack(int sizeClass, long blocks) {
    addLive(sizeClass, -blocks);
    freeBytes += blocks * SizeClass.bytes(sizeClass);
  }

  /** Returns the bytes taken from the memory nodes as chunks. */
  public long takenBytes() {
    return takenBytes;
  }

  /** Returns the bytes in free lists, or held back. */
  public long freeBytes() {
    return freeBytes;
  }

  /** Returns the retired bytes, which may still have readers. */
  public long retiredBytes() {
    return retiredBytes;
  }

  /** Returns the bytes of chunks that have not been cut into blocks yet. */
  public long spareBytes() {
    return spareBytes;
  }

  /** Returns the number of blocks of a class in use. */
  public long liveBlocks(int sizeClass) {
    return liveBlocks[sizeClass];
  }

  /** Returns the bytes of all blocks in use. */
  public long liveBytes() {
    long bytes = 0;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      bytes += liveBlocks[i] * SizeClass.bytes(i);
    }
    return bytes;
  }

  /** Returns true if every byte taken is in use, free, retired or spare. */
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
