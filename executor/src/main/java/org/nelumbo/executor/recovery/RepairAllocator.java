package org.nelumbo.executor.recovery;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;

/**
 * An allocator for repairs, before it is known which memory is in use. It does not reuse memory
 * that a repair frees. The recovery finds that memory later, with all other unused memory.
 */
final class RepairAllocator implements PoolAllocator {
  private final PoolAllocator allocator;

  RepairAllocator(PoolAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public long allocate(int sizeClass) {
    return allocator.allocate(sizeClass);
  }

  @Override
  public long allocate(int sizeClass, long lotusKey) {
    return allocator.allocate(sizeClass, lotusKey);
  }

  @Override
  public long allocateAt(int sizeClass, int node) {
    return allocator.allocateAt(sizeClass, node);
  }

  @Override
  public long allocateReserved(int sizeClass) {
    return allocator.allocateReserved(sizeClass);
  }

  @Override
  public long tryAllocateLocal(int sizeClass) {
    return allocator.tryAllocateLocal(sizeClass);
  }

  @Override
  public void free(long address, int sizeClass) {}

  @Override
  public void disown(long address, int sizeClass) {
    allocator.disown(address, sizeClass);
  }

  @Override
  public void retire(long address, int sizeClass, long timestamp) {}

  @Override
  public void releaseFree() {}

  @Override
  public void report() {}

  @Override
  public void addTo(PoolUsage account) {}

  @Override
  public void close() {}
}
