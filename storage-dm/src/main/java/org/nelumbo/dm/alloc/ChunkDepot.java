package org.nelumbo.dm.alloc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;

/**
 * What the allocators of one compute node share: blocks that one has too many of, what closed
 * allocators left, and the knowledge of which nodes have no chunks any more. Thread-safe; moves
 * whole batches, so its lock is taken rarely, and never across a verb.
 */
public final class ChunkDepot {
  private static final long MERGE_BYTES_MIN = 64 << 10;

  /** Merging sorts everything: not before the free bytes have grown by one in so many. */
  private static final int MERGE_SHARE = 8;

  private final LongSupplier horizon;
  private final int nodeCount;
  private final long[] nodeBytes;
  private final long chunkBytesMax;
  private final AtomicInteger nextNode = new AtomicInteger();
  private final AtomicIntegerArray exhausted;
  private final AtomicIntegerArray cramped;
  private final AtomicLong takenBytes = new AtomicLong();
  private final AtomicLong usedBytes = new AtomicLong();

  /** Sizes of the free stacks and of the retire queue, to be looked at without the lock. */
  private final AtomicIntegerArray available = new AtomicIntegerArray(SizeClass.COUNT);

  private volatile boolean hasRanges;
  private volatile boolean hasRetired;

  /** Guards everything below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final LongStack[] free = new LongStack[SizeClass.COUNT];
  private final RetireQueue retired = new RetireQueue();
  private final LongStack rangeStarts = new LongStack();
  private final LongStack rangeEnds = new LongStack();
  private final long[] liveOfClosed = new long[SizeClass.COUNT];
  private long freeBytes;

  /** The least that {@link #freeBytes} has been since the last merge. */
  private long freeBytesLow;

  /**
   * The depot of a formatted pool; one for all allocators of this compute node.
   *
   * @param horizon every transaction that is active has a start timestamp not below it; may be
   *     stale
   */
  public ChunkDepot(Fabric fabric, LongSupplier horizon) {
    this.horizon = horizon;
    nodeCount = fabric.nodeCount();
    nodeBytes = new long[nodeCount];
    exhausted = new AtomicIntegerArray(nodeCount);
    cramped = new AtomicIntegerArray(nodeCount);
    long poolBytes = 0;
    for (int i = 0; i < nodeCount; i++) {
      nodeBytes[i] = fabric.nodeBytes(i) & -64;
      poolBytes += nodeBytes[i];
    }
    chunkBytesMax = poolBytes / 256;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      free[i] = new LongStack();
    }
  }

  /**
   * Takes over a pool that others have used before: what they had in use is {@code live}, all else
   * of what they had been given is free. The map is from before the first allocation here.
   */
  public void restore(LiveMap live) {
    countTaken(live.takenBytes());
    addUsed(live.liveBytes());
    adoptLive(live.liveBlocks());
    lock.lock();
    try {
      live.gaps(this::addGap);
      for (int i = 0; i < SizeClass.COUNT; i++) {
        available.set(i, free[i].size());
        freeBytes += (long) free[i].size() * SizeClass.bytes(i);
      }
      freeBytesLow = freeBytes;
      hasRanges = rangeStarts.size() > 0;
    } finally {
      lock.unlock();
    }
  }

  /** A long gap becomes a range, but for its ends, which become blocks as short gaps do. */
  private void addGap(long start, long end) {
    long first = (start + 63) & -64;
    long last = end & -64;
    if (last - first < BlockMerger.RANGE_BYTES_MIN) {
      SlabCutter.cutIntoFree(start, end, free);
      return;
    }
    SlabCutter.cutIntoFree(start, first, free);
    SlabCutter.cutIntoFree(last, end, free);
    rangeStarts.push(first);
    rangeEnds.push(last);
  }

  /** An allocator for one coordinator, which closes it; takes chunks through that channel. */
  public PoolAllocator newAllocator(Channel channel) {
    return new ChunkAllocator(this, channel);
  }

  long horizon() {
    return horizon.getAsLong();
  }

  int nodeCount() {
    return nodeCount;
  }

  long nodeBytes(int node) {
    return nodeBytes[node];
  }

  /** A chunk should not be larger than this, so that one coordinator does not starve others. */
  long chunkBytesMax() {
    return chunkBytesMax;
  }

  /** The node to take the next chunk from, in turn. */
  int nextNode() {
    return Math.floorMod(nextNode.getAndIncrement(), nodeCount);
  }

  boolean isExhausted(int node) {
    return exhausted.get(node) != 0;
  }

  void setExhausted(int node) {
    exhausted.set(node, 1);
  }

  void setCramped(int node, boolean value) {
    cramped.setRelease(node, value ? 1 : 0);
  }

  /**
   * A node that had no room for the last chunk it was asked for, though it is not used up; or -1.
   */
  public int crampedNode() {
    for (int node = 0; node < nodeCount; node++) {
      if (cramped.getAcquire(node) != 0) {
        return node;
      }
    }
    return -1;
  }

  void countTaken(long bytes) {
    takenBytes.addAndGet(bytes);
  }

  void addUsed(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** Bytes taken from the nodes by this compute node's allocators. */
  public long takenBytes() {
    return takenBytes.get();
  }

  /**
   * Bytes, of those, that are in use or retired; exact when all allocators are closed or have been
   * asked to {@link PoolAllocator#report}.
   */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Moves up to {@code count} blocks from the top of {@code from} into the depot. */
  void give(int sizeClass, LongStack from, int count) {
    lock.lock();
    try {
      freeBytes += (long) from.moveTo(free[sizeClass], count) * SizeClass.bytes(sizeClass);
      available.set(sizeClass, free[sizeClass].size());
    } finally {
      lock.unlock();
    }
  }

  /** Moves up to {@code count} blocks of a class to {@code to}; returns how many. */
  int take(int sizeClass, LongStack to, int count) {
    if (available.get(sizeClass) == 0 && !hasRetired) {
      return 0;
    }
    lock.lock();
    try {
      drainRetired();
      int moved = free[sizeClass].moveTo(to, count);
      freeBytes -= (long) moved * SizeClass.bytes(sizeClass);
      freeBytesLow = Math.min(freeBytesLow, freeBytes);
      available.set(sizeClass, free[sizeClass].size());
      return moved;
    } finally {
      lock.unlock();
    }
  }

  private void drainRetired() {
    long passed = horizon();
    while (retired.isReady(passed)) {
      long block = retired.poll();
      int sizeClass = RetireQueue.sizeClass(block);
      free[sizeClass].push(RetireQueue.address(block));
      addUsed(-SizeClass.bytes(sizeClass));
      freeBytes += SizeClass.bytes(sizeClass);
      available.set(sizeClass, free[sizeClass].size());
    }
    hasRetired = retired.size() > 0;
  }

  /**
   * Joins free blocks to ranges, if enough came in since the last time to make that worth while.
   * For an exhausted pool, and after much has been freed at once.
   *
   * @return whether there is a range now
   */
  boolean merge() {
    lock.lock();
    try {
      drainRetired();
      if (freeBytes - freeBytesLow > MERGE_BYTES_MIN + freeBytesLow / MERGE_SHARE) {
        new BlockMerger(free, rangeStarts, rangeEnds).run();
        freeBytes = 0;
        for (int i = 0; i < SizeClass.COUNT; i++) {
          available.set(i, free[i].size());
          freeBytes += (long) free[i].size() * SizeClass.bytes(i);
        }
        freeBytesLow = freeBytes;
        hasRanges = rangeStarts.size() > 0;
      }
      return hasRanges;
    } finally {
      lock.unlock();
    }
  }

  void giveRetired(RetireQueue from) {
    lock.lock();
    try {
      from.moveTo(retired);
      hasRetired = retired.size() > 0;
    } finally {
      lock.unlock();
    }
  }

  void giveRange(long start, long end) {
    lock.lock();
    try {
      rangeStarts.push(start);
      rangeEnds.push(end);
      hasRanges = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a range of at least {@code bytesWanted}, the one that was given last, if there is any. Of
   * a longer range than {@code bytesMax} only its beginning, so that one allocator does not starve
   * others; both are multiples of 64.
   *
   * @return whether {@code out} was filled with start and end
   */
  boolean takeRange(long bytesWanted, long bytesMax, long[] out) {
    if (!hasRanges) {
      return false;
    }
    lock.lock();
    try {
      for (int i = rangeStarts.size() - 1; i >= 0; i--) {
        if (rangeEnds.get(i) - rangeStarts.get(i) >= bytesWanted) {
          out[0] = rangeStarts.removeAt(i);
          out[1] = rangeEnds.removeAt(i);
          if (out[1] - out[0] > bytesMax) {
            rangeStarts.push(out[0] + bytesMax);
            rangeEnds.push(out[1]);
            out[1] = out[0] + bytesMax;
          }
          hasRanges = rangeStarts.size() > 0;
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Takes over the live counts of an allocator that closes. */
  void adoptLive(long[] live) {
    lock.lock();
    try {
      for (int i = 0; i < SizeClass.COUNT; i++) {
        liveOfClosed[i] += live[i];
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds what the depot holds, all chunks taken, and what closed allocators left in use. */
  public void addTo(PoolAccount account) {
    lock.lock();
    try {
      account.addTaken(takenBytes.get());
      account.addRetired(retired.bytes());
      for (int i = 0; i < SizeClass.COUNT; i++) {
        account.addFree((long) free[i].size() * SizeClass.bytes(i));
        account.addLive(i, liveOfClosed[i]);
      }
      for (int i = 0; i < rangeStarts.size(); i++) {
        account.addSpare(rangeEnds.get(i) - rangeStarts.get(i));
      }
    } finally {
      lock.unlock();
    }
  }
}
