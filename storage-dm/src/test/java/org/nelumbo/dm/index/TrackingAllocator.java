package org.nelumbo.dm.index;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * An allocator that records the blocks in use, fails when a block that is not in use is freed, and
 * can simulate an exhausted pool. Not thread-safe.
 */
public final class TrackingAllocator implements PoolAllocator {
  private final PoolAllocator allocator;
  private final Map<Long, Integer> live = new HashMap<>();
  private final long[] liveBytes = new long[SizeClass.COUNT];
  private long retiredBytes;
  private LongConsumer onRetire = timestamp -> {};
  private long allowance = Long.MAX_VALUE;
  private boolean nothingAtHand;

  public TrackingAllocator(PoolAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Lets the next {@code allocations} allocations succeed; after them the pool appears exhausted.
   */
  public void allow(long allocations) {
    allowance = allocations;
  }

  /** Removes the limit of {@link #allow}. */
  public void allowAll() {
    allow(Long.MAX_VALUE);
  }

  /** Makes every later allocation one that may have to wait. */
  public void haveNothingAtHand() {
    nothingAtHand = true;
  }

  /** Sets an observer that receives the timestamp of each retired block. */
  public void onRetire(LongConsumer observer) {
    onRetire = observer;
  }

  /** Returns a copy of the blocks in use: address and size class. */
  public Map<Long, Integer> live() {
    return Map.copyOf(live);
  }

  /** Returns the number of bytes in use in blocks of a size class. */
  public long liveBytes(int sizeClass) {
    return liveBytes[sizeClass];
  }

  /** Returns the number of bytes retired so far. */
  public long retiredBytes() {
    return retiredBytes;
  }

  @Override
  public long allocate(int sizeClass) {
    if (allowance == 0) {
      return PoolAddress.NULL;
    }
    return note(allocator.allocate(sizeClass), sizeClass);
  }

  @Override
  public long allocateAt(int sizeClass, int node) {
    return allocator.allocateAt(sizeClass, node);
  }

  @Override
  public long allocateReserved(int sizeClass) {
    return note(allocator.allocateReserved(sizeClass), sizeClass);
  }

  @Override
  public long tryAllocateLocal(int sizeClass) {
    return allowance == 0 || nothingAtHand
        ? PoolAddress.NULL
        : note(allocator.tryAllocateLocal(sizeClass), sizeClass);
  }

  private long note(long address, int sizeClass) {
    if (address != PoolAddress.NULL) {
      allowance--;
      if (live.put(address, sizeClass) != null) {
        throw new AssertionError("handed out twice address=" + PoolAddress.toString(address));
      }
      liveBytes[sizeClass] += SizeClass.bytes(sizeClass);
    }
    return address;
  }

  @Override
  public void addTo(PoolUsage account) {
    allocator.addTo(account);
  }

  @Override
  public void releaseFree() {
    allocator.releaseFree();
  }

  private void gone(long address, int sizeClass) {
    Integer was = live.remove(address);
    if (was == null || was != sizeClass) {
      throw new AssertionError(
          "given back but not in use address=" + PoolAddress.toString(address));
    }
    liveBytes[sizeClass] -= SizeClass.bytes(sizeClass);
  }

  @Override
  public long allocate(int sizeClass, long lotusKey) {
    return allowance == 0
        ? PoolAddress.NULL
        : note(allocator.allocate(sizeClass, lotusKey), sizeClass);
  }

  @Override
  public void free(long address, int sizeClass) {
    gone(address, sizeClass);
    allocator.free(address, sizeClass);
  }

  @Override
  public void disown(long address, int sizeClass) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void retire(long address, int sizeClass, long timestamp) {
    gone(address, sizeClass);
    retiredBytes += SizeClass.bytes(sizeClass);
    onRetire.accept(timestamp);
    allocator.retire(address, sizeClass, timestamp);
  }

  @Override
  public void report() {
    allocator.report();
  }

  @Override
  public void close() {
    allocator.close();
  }
}
