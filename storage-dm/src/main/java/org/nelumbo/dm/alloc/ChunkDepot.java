package org.nelumbo.dm.alloc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;

/**
 * What the allocators of one compute node share: free memory that closed allocators, or allocators with too much of it, have given back. Thread-safe; its lock is never
 * held across a flush.
 */
public final class ChunkDepot {
  private final Fabric fabric;
  private final LongSupplier horizon;
  private final ReentrantLock lock = new ReentrantLock();
  private final FreeList[] lists = new FreeList[SizeClass.COUNT];
  private final RetireQueue retired = new RetireQueue();
  private final AtomicLong takenBytes = new AtomicLong();
  private final AtomicLong usedBytes = new AtomicLong();
  private volatile boolean hasSome;

  /**
   * A depot for the pool behind {@code fabric}.
   *
   * @param horizon every transaction that is active has a start timestamp not below it
   */
  public ChunkDepot(Fabric fabric, LongSupplier horizon) {
    this.fabric = fabric;
    this.horizon = horizon;
    for (int i = 0; i < lists.length; i++) {
      lists[i] = new FreeList();
    }
  }

  /** An allocator for one coordinator, to be closed by it. */
  public PoolAllocator newAllocator(Channel channel) {
    return new ChunkAllocator(this, channel);
  }

  Fabric fabric() {
    return fabric;
  }

  long horizon() {
    return horizon.getAsLong();
  }

  /** Bytes taken from the nodes by this compute node's allocators. */
  public long takenBytes() {
    return takenBytes.get();
  }

  /** Bytes, of those, that are handed out or retired; exact when all allocators are closed or have been asked to {@link PoolAllocator#report}. */
  public long usedBytes() {
    return usedBytes.get();
  }

  void addTaken(long bytes) {
    takenBytes.addAndGet(bytes);
  }

  void addUsed(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** Gives up to {@code count} addresses of a class. */
  boolean take(int sizeClass, FreeList into, int count) {
    if (!hasSome) {
      return false;
    }
    lock.lock();
    try {
      drainRetired();
      lists[sizeClass].moveTo(into, count);
    } finally {
      lock.unlock();
    }
    return into.size() > 0;
  }

  private void drainRetired() {
    long now = horizon();
    while (retired.size() > 0 && retired.timestamp() < now) {
      lists[retired.sizeClass()].push(retired.address());
      addUsed(-SizeClass.bytes(retired.sizeClass()));
      retired.pop();
    }
  }

  void give(int sizeClass, FreeList from, int count) {
    lock.lock();
    try {
      from.moveTo(lists[sizeClass], count);
      hasSome = true;
    } finally {
      lock.unlock();
    }
  }

  void giveRetired(RetireQueue from) {
    lock.lock();
    try {
      for (; from.size() > 0; from.pop()) {
        retired.add(from.address(), from.sizeClass(), from.timestamp());
      }
      hasSome = true;
    } finally {
      lock.unlock();
    }
  }
}
