package org.nelumbo.dm.index;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Notes what is in use, objects to giving back what is not, and can pretend that the pool is
 * exhausted. For one thread.
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

  /** From now on so many allocations succeed; then the pool is exhausted. */
  public void allow(long allocations) {
    allowance = allocations;
  }

  /** From now on as many allocations succeed as the pool has room for. */
  public void allowAll() {
    allow(Long.MAX_VALUE);
  }

  /** From now on every allocation may have to wait. */
  public void haveNothingAtHand() {
    nothingAtHand = true;
  }

  /** From now on this is told the timestamp of every block that is retired. */
  public void onRetire(LongConsumer observer) {
    onRetire = observer;
  }

  /** Addresses and size classes of the blocks in use; a copy. */
  public Map<Long, Integer> live() {
    return Map.copyOf(live);
  }

  /** Bytes in use in blocks of that class. */
  public long liveBytes(int sizeClass) {
    return liveBytes[sizeClass];
  }

  /** Bytes that have been retired so far. */
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
