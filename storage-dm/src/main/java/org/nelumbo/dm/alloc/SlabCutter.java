package org.nelumbo.dm.alloc;

import java.util.Arrays;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Cuts chunks into slabs of one size class and slabs into blocks. Rests are cut into blocks of the
 * free lists. Every range has a length that is a multiple of 16; chunks and slabs start at
 * multiples of 64.
 */
final class SlabCutter {
  private static final int SLAB_BYTES_MIN = 4 << 10;
  private static final int SLAB_BYTES_MAX = 32 << 10;
  private static final int SHARED_SLAB_BYTES_MIN = 1 << 10;
  private static final int SHARED_SLAB_BYTES_MAX = 4 << 10;

  private final ChunkSource chunks;
  private final LongStack[] free;
  private final long[] slabNext = new long[SizeClass.COUNT];
  private final long[] slabEnd = new long[SizeClass.COUNT];
  private final int[] slabBytes = new int[SizeClass.COUNT];
  private long chunkNext;
  private long chunkEnd;

  SlabCutter(ChunkSource chunks, LongStack[] free) {
    this.chunks = chunks;
    this.free = free;
    Arrays.fill(slabBytes, chunks.isShared() ? SHARED_SLAB_BYTES_MIN : SLAB_BYTES_MIN);
  }

  /** Returns the next block of the slab of a class; NULL if the slab is used up. */
  long next(int sizeClass) {
    long block = slabNext[sizeClass];
    if (block == slabEnd[sizeClass]) {
      return PoolAddress.NULL;
    }
    slabNext[sizeClass] = block + SizeClass.bytes(sizeClass);
    return block;
  }

  /** Begins a slab for a class whose slab is used up; returns false if the node is exhausted. */
  boolean newSlab(int sizeClass) {
    int bytes = SizeClass.bytes(sizeClass);
    int slabBytesMax = SLAB_BYTES_MAX;
    if (chunks.isShared()) {
      slabBytesMax = SHARED_SLAB_BYTES_MAX;
      slabBytes[sizeClass] = Math.min(slabBytes[sizeClass], slabBytesMax);
      chunkEnd = chunks.giveExcess(chunkNext, chunkEnd);
    }
    while (chunkEnd - chunkNext < slabUnit(bytes)) {
      if (chunks.isShared() && chunkEnd - chunkNext >= SHARED_SLAB_BYTES_MIN) {
        chunks.give(chunkNext, chunkEnd); // smaller blocks of it would hardly be used
      } else {
        cutIntoFree(chunkNext, chunkEnd);
      }
      chunkNext = chunkEnd;
      if (!chunks.take(slabUnit(bytes))) {
        return false;
      }
      chunkNext = chunks.start();
      chunkEnd = chunks.end();
    }
    int unit = slabUnit(bytes);
    long room = (chunkEnd - chunkNext) / unit * unit;
    long wanted = Math.max(unit, (long) slabBytes[sizeClass] / unit * unit);
    slabNext[sizeClass] = chunkNext;
    chunkNext += Math.min(room, wanted);
    slabEnd[sizeClass] = chunkNext;
    slabBytes[sizeClass] = Math.min(2 * slabBytes[sizeClass], slabBytesMax);
    return true;
  }

  private static int slabUnit(int bytes) {
    int odd = bytes;
    while ((odd & 63) != 0) {
      odd += bytes;
    }
    return odd;
  }

  /**
   * Cuts one block of {@code sizeClass} out of a range, and the rest into the free lists.
   *
   * @return the block, or NULL if it does not fit: then the whole range is in the free lists
   */
  long cut(int sizeClass, long start, long end) {
    long block = (start + SizeClass.alignment(sizeClass) - 1) & -SizeClass.alignment(sizeClass);
    long blockEnd = block + SizeClass.bytes(sizeClass);
    if (blockEnd > end) {
      cutIntoFree(start, end);
      return PoolAddress.NULL;
    }
    cutIntoFree(start, block);
    cutIntoFree(blockEnd, end);
    return block;
  }

  /** Finds room for one block in the unused parts of other classes' slabs. */
  long cutOtherSlab(int sizeClass) {
    int bytes = SizeClass.bytes(sizeClass) + SizeClass.alignment(sizeClass) - 16;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      if (slabEnd[i] - slabNext[i] >= bytes) {
        long start = slabNext[i];
        slabNext[i] = slabEnd[i];
        return cut(sizeClass, start, slabEnd[i]);
      }
    }
    return PoolAddress.NULL;
  }

  private void cutIntoFree(long start, long end) {
    RangeCutter.cut(start, end, free);
  }

  /** Adds the memory that is not cut into blocks yet. */
  void addTo(PoolUsage usage) {
    usage.addSpare(chunkNext, chunkEnd);
    for (int i = 0; i < SizeClass.COUNT; i++) {
      usage.addSpare(slabNext[i], slabEnd[i]);
    }
  }

  /**
   * Gives the rest of the chunk to the central free list and cuts the rests of slabs into free
   * blocks.
   */
  void giveBack(CentralFreeList central) {
    if (chunkNext < chunkEnd) {
      central.giveRange(chunkNext, chunkEnd);
      chunkNext = chunkEnd;
    }
    for (int i = 0; i < SizeClass.COUNT; i++) {
      for (long block = next(i); block != PoolAddress.NULL; block = next(i)) {
        free[i].push(block);
      }
    }
  }
}
