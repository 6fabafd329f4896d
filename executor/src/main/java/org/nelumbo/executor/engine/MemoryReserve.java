package org.nelumbo.executor.engine;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Pool memory that a coordinator holds back, so that it can still do something when the pool is
 * full: what makes room again needs a little room itself. Not thread-safe.
 */
public final class MemoryReserve {
  private final PoolAllocator allocator;
  private final int sizeClass;
  private final long[] blocks;
  private int count;

  /**
   * An empty reserve.
   *
   * @param blockBytes the largest piece that will be asked for; blocks are cut up for smaller ones
   */
  public MemoryReserve(Coordinator coordinator, int blockBytes, int blocks) {
    this.allocator = coordinator.allocator();
    this.sizeClass = SizeClass.of(blockBytes);
    this.blocks = new long[blocks];
    coordinator.addReserve(this);
  }

  /** Takes what is missing, as far as there is room. */
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

  /** Lets the coordinator use all of it; false if there was nothing. */
  public boolean release() {
    boolean some = count > 0;
    while (count > 0) {
      allocator.free(blocks[--count], sizeClass);
    }
    return some;
  }
}
