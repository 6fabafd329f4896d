package org.nelumbo.executor.engine;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Pool memory that a coordinator holds back to work when the pool is full: freeing memory needs a
 * little memory itself. Not thread-safe.
 */
public final class MemoryReserve {
  private final PoolAllocator allocator;
  private final int sizeClass;
  private final long[] blocks;
  private int count;

  /**
   * Creates an empty reserve.
   *
   * @param blockBytes largest size that will be requested; blocks are split for smaller ones
   */
  public MemoryReserve(Coordinator coordinator, int blockBytes, int blocks) {
    this.allocator = coordinator.allocator();
    this.sizeClass = SizeClass.of(blockBytes);
    this.blocks = new long[blocks];
    coordinator.addReserve(this);
  }

  /** Allocates missing blocks, as far as there is memory. */
  public void fill() {
    while (count < blocks.length) {
      long block = allocator.allocate(sizeClass);
      if (block == PoolAddress.NULL) {
        return;
      }
      blocks[count++] = block;
    }
  }

  void addTo(PoolUsage account) {
    account.addHeldBack(sizeClass, Arrays.copyOf(blocks, count));
  }

  /** Makes all of the reserve available to the coordinator; returns false if it was empty. */
  public boolean release() {
    boolean some = count > 0;
    while (count > 0) {
      allocator.free(blocks[--count], sizeClass);
    }
    return some;
  }
}
