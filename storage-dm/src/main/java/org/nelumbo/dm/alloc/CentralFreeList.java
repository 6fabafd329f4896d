package org.nelumbo.dm.alloc;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The central free list of one logical node, shared by the allocators of a compute node: surplus
 * blocks of allocators, memory of closed allocators, and the state of the node (used up, out of
 * space). Thread-safe. It moves whole batches, so its lock is taken rarely, and never across a
 * verb.
 */
final class CentralFreeList {
  private static final long COALESCE_BYTES_MIN = 64 << 10;

  /** Maximum number of blocks that are kept for leaves of indexes. */
  private static final int LEAVES_MAX = 32;

  /**
   * Blocks are not coalesced, which sorts all of them, before the free bytes have grown by one part
   * in this many.
   */
  private static final int COALESCE_SHARE = 8;

  private final LongSupplier horizon;
  private final Runnable onWant;
  private final int node;
  private final long nodeBytes;
  private final NodeReserve reserve;
  private volatile boolean shared;
  private volatile LongPredicate preferred = _ -> false;
  private volatile boolean exhausted;
  private volatile boolean outOfSpace;
  private final AtomicLong takenBytes = new AtomicLong();

  /** Offset of the end of the memory that is known to have been allocated to any compute node. */
  private final AtomicLong handedOutEnd = new AtomicLong(SuperblockLayout.LENGTH);

  private final AtomicLong usedBytes = new AtomicLong();

  /** Sizes of the free stacks and of the retire queue, for reading without the lock. */
  private final AtomicIntegerArray available = new AtomicIntegerArray(SizeClass.COUNT);

  private volatile boolean hasLeaves;
  private volatile boolean hasRanges;
  private volatile boolean hasRetired;

  /** Guards all fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final LongStack[] free = new LongStack[SizeClass.COUNT];

  /** Free blocks at preferred addresses, which only leaves of indexes get. */
  private final LongStack leaves = new LongStack();

  private final RetireQueue retired = new RetireQueue();
  private final LongStack rangeStarts = new LongStack();
  private final LongStack rangeEnds = new LongStack();
  private final long[] liveOfClosed = new long[SizeClass.COUNT];
  private long freeBytes;

  /** The minimum of {@link #freeBytes} since blocks were last coalesced. */
  private long freeBytesLow;

  /**
   * Creates the free list of a formatted node.
   *
   * @param horizon lower bound of the start timestamps of all active transactions; may be stale
   * @param onWant runs when an allocator needs more memory than there is here
   */
  CentralFreeList(int node, long bytes, LongSupplier horizon, Runnable onWant) {
    this.horizon = horizon;
    this.onWant = onWant;
    this.node = node;
    nodeBytes = bytes & -64;
    reserve = new NodeReserve(node, nodeBytes);
    for (int i = 0; i < SizeClass.COUNT; i++) {
      free[i] = new LongStack();
    }
  }

  /** Restores the free list of an existing pool from the memory in use. */
  void restore(MemoryInUse memory) {
    countTaken(memory.takenBytes(node));
    noteHandedOut(SuperblockLayout.LENGTH + memory.takenBytes(node));
    lock.lock();
    try {
      memory.gaps(node, this::addGap);
      recount();
    } finally {
      lock.unlock();
    }
  }

  /** Adds the free runs that lie on this node. */
  void addRuns(long[] runs) {
    lock.lock();
    try {
      for (long run : runs) {
        long start = FreeSpaceMapLayout.address(run);
        if (PoolAddress.node(start) == node) {
          addGap(start, start + FreeSpaceMapLayout.bytes(run));
        }
      }
      recount();
    } finally {
      lock.unlock();
    }
  }

  private void recount() {
    freeBytes = 0;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      available.set(i, free[i].size());
      freeBytes += (long) free[i].size() * SizeClass.bytes(i);
    }
    freeBytesLow = freeBytes;
    hasRanges = rangeStarts.size() > 0;
  }

  private void addGap(long start, long end) {
    long reserved = Math.clamp(PoolAddress.of(node, reserve.startOffset()), start, end);
    addOrdinaryGap(start, reserved);
    reserve.give(reserved, end);
  }

  private void addOrdinaryGap(long start, long end) {
    long first = (start + 63) & -64;
    long last = end & -64;
    if (last - first < BlockCoalescer.RANGE_BYTES_MIN) {
      RangeCutter.cut(start, end, free);
      return;
    }
    RangeCutter.cut(start, first, free);
    RangeCutter.cut(last, end, free);
    rangeStarts.push(first);
    rangeEnds.push(last);
  }

  /** Returns true if other compute nodes share the pool: then little memory is kept here. */
  boolean isShared() {
    return shared;
  }

  void setShared(boolean value) {
    if (shared != value) {
      shared = value;
    }
  }

  /** See {@link ChunkPool#prefer}. */
  void prefer(LongPredicate addresses) {
    preferred = addresses;
  }

  /**
   * Keeps a new chunk for leaves of indexes, if its addresses are preferred for them, and few are
   * kept; returns false otherwise.
   */
  boolean keepForLeaves(long start, long end) {
    if (!shared
        || !preferred.test(start)
        || !preferred.test(end - 1)
        || (end - start) % TreeNodeLayout.LENGTH != 0) {
      return false;
    }
    lock.lock();
    try {
      boolean isKept = leaves.size() < LEAVES_MAX;
      for (long at = start; at < end && isKept; at += TreeNodeLayout.LENGTH) {
        leaves.push(at);
      }
      hasLeaves = leaves.size() > 0;
      return isKept;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a block at a preferred address that was kept for leaves; returns NULL if there is none.
   */
  long takePreferred(int sizeClass) {
    if (!hasLeaves || sizeClass != TreeNodeLayout.SIZE_CLASS) {
      return PoolAddress.NULL;
    }
    lock.lock();
    try {
      long block = PoolAddress.NULL;
      while (leaves.size() > 0 && block == PoolAddress.NULL) {
        if (preferred.test(leaves.get(leaves.size() - 1))) {
          block = leaves.pop();
        } else {
          releaseLeaves(1); // the shard has moved
        }
      }
      hasLeaves = leaves.size() > 0;
      return block;
    } finally {
      lock.unlock();
    }
  }

  /** Makes blocks that were kept for leaves available for everything. Guarded by the lock. */
  private void releaseLeaves(int count) {
    int sizeClass = TreeNodeLayout.SIZE_CLASS;
    freeBytes += (long) leaves.moveTo(free[sizeClass], count) * SizeClass.bytes(sizeClass);
    available.set(sizeClass, free[sizeClass].size());
    hasLeaves = leaves.size() > 0;
  }

  long horizon() {
    return horizon.getAsLong();
  }

  int node() {
    return node;
  }

  long nodeBytes() {
    return nodeBytes;
  }

  /** Returns the reserve at the end of the node, which ordinary allocations do not use. */
  NodeReserve reserve() {
    return reserve;
  }

  /** Returns the maximum size of a chunk, which prevents one coordinator from starving others. */
  long chunkBytesMax() {
    return nodeBytes / 256;
  }

  boolean isExhausted() {
    return exhausted;
  }

  void setExhausted() {
    exhausted = true;
  }

  /**
   * Returns true if the node had no room for the last chunk requested from it, though it is not
   * used up.
   */
  boolean isOutOfSpace() {
    return outOfSpace;
  }

  void setOutOfSpace(boolean value) {
    if (outOfSpace != value) {
      outOfSpace = value;
    }
  }

  void countTaken(long bytes) {
    takenBytes.addAndGet(bytes);
  }

  /** Records that the memory before an offset has been allocated. */
  void noteHandedOut(long end) {
    handedOutEnd.accumulateAndGet(Math.min(end, nodeBytes), Math::max);
  }

  long handedOutEnd() {
    return handedOutEnd.get();
  }

  void addUsed(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** Returns the bytes in use or retired, as far as allocators have reported them. */
  long usedBytes() {
    return usedBytes.get();
  }

  /** Moves up to {@code count} blocks from the top of {@code from} into this list. */
  void give(int sizeClass, LongStack from, int count) {
    lock.lock();
    try {
      freeBytes += (long) from.moveTo(free[sizeClass], count) * SizeClass.bytes(sizeClass);
      available.set(sizeClass, free[sizeClass].size());
    } finally {
      lock.unlock();
    }
  }

  /** Moves up to {@code count} blocks of a class to {@code to}; returns their number. */
  int take(int sizeClass, LongStack to, int count) {
    if (available.get(sizeClass) == 0 && !hasRetired) {
      return 0;
    }
    lock.lock();
    try {
      drainRetired();
      int moved = free[sizeClass].moveTo(to, count);
      freeBytes -= (long) moved * SizeClass.bytes(sizeClass);
      assert freeBytes >= 0 : "freeBytes=" + freeBytes;
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
      takeRetired();
    }
    hasRetired = retired.size() > 0;
  }

  private void takeRetired() {
    long block = retired.poll();
    int sizeClass = RetireQueue.sizeClass(block);
    addUsed(-SizeClass.bytes(sizeClass));
    if (reserve.contains(RetireQueue.address(block))) {
      reserve.give(
          RetireQueue.address(block), RetireQueue.address(block) + SizeClass.bytes(sizeClass));
      return;
    }
    free[sizeClass].push(RetireQueue.address(block));
    freeBytes += SizeClass.bytes(sizeClass);
    available.set(sizeClass, free[sizeClass].size());
  }

  /**
   * Coalesces free blocks into ranges, if enough were freed since the last time. For an exhausted
   * pool, and after much has been freed at once.
   *
   * @return true if there is a range now
   */
  boolean coalesce() {
    lock.lock();
    try {
      drainRetired();
      releaseLeaves(leaves.size());
      if (freeBytes - freeBytesLow > COALESCE_BYTES_MIN + freeBytesLow / COALESCE_SHARE) {
        coalesceAll();
      }
      return hasRanges;
    } finally {
      lock.unlock();
    }
  }

  private void coalesceAll() {
    new BlockCoalescer(free, rangeStarts, rangeEnds).run();
    recount();
  }

  /**
   * Adds all free memory, as runs of a free-space map. Retired blocks are included, since there are
   * no readers any more. All allocators are closed.
   */
  void addFreeRuns(LongStack runs) {
    lock.lock();
    try {
      while (retired.size() > 0) {
        takeRetired();
      }
      hasRetired = false;
      releaseLeaves(leaves.size());
      coalesceAll();
      for (int i = 0; i < rangeStarts.size(); i++) {
        for (long at = rangeStarts.get(i); at < rangeEnds.get(i); ) {
          long bytes = Math.min(rangeEnds.get(i) - at, FreeSpaceMapLayout.RUN_BYTES_MAX);
          runs.push(FreeSpaceMapLayout.run(at, bytes));
          at += bytes;
        }
      }
      for (int i = 0; i < SizeClass.COUNT; i++) {
        for (int k = 0; k < free[i].size(); k++) {
          runs.push(FreeSpaceMapLayout.run(free[i].get(k), SizeClass.bytes(i)));
        }
      }
      reserve.addFreeRuns(runs);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes of all free memory, without retired blocks. */
  long heldBytes() {
    lock.lock();
    try {
      long bytes = freeBytes + reserve.bytes() + (long) leaves.size() * TreeNodeLayout.LENGTH;
      for (int i = 0; i < rangeStarts.size(); i++) {
        bytes += rangeEnds.get(i) - rangeStarts.get(i);
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees all retired blocks: all allocators are closed, and no thread of this compute node reads
   * any more.
   */
  void freeRetired() {
    lock.lock();
    try {
      while (retired.size() > 0) {
        takeRetired();
      }
      hasRetired = false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of free blocks and ranges, in runs of a free-space map. */
  int runCount() {
    lock.lock();
    try {
      int count = reserve.runCount() + leaves.size();
      for (int i = 0; i < rangeStarts.size(); i++) {
        long bytes = rangeEnds.get(i) - rangeStarts.get(i);
        count += (int) Math.ceilDiv(bytes, FreeSpaceMapLayout.RUN_BYTES_MAX);
      }
      for (LongStack each : free) {
        count += each.size();
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes free memory, which this compute node does not own any more: first that of the reserve,
   * then blocks, the largest first, then ranges.
   *
   * @param bytesMax approximate maximum of the bytes
   * @param runsMax maximum number of runs
   */
  void takeRuns(long bytesMax, int runsMax, LongStack runs) {
    lock.lock();
    try {
      releaseLeaves(leaves.size());
      int end = runs.size() + runsMax;
      long left = bytesMax - reserve.takeRuns(bytesMax, runsMax, runs);
      for (int i = SizeClass.COUNT - 1; i >= 0; i--) {
        while (free[i].size() > 0 && left > 0 && runs.size() < end) {
          runs.push(FreeSpaceMapLayout.run(free[i].pop(), SizeClass.bytes(i)));
          left -= SizeClass.bytes(i);
          freeBytes -= SizeClass.bytes(i);
        }
        available.set(i, free[i].size());
      }
      freeBytesLow = Math.min(freeBytesLow, freeBytes);
      while (rangeStarts.size() > 0 && left > 0 && runs.size() < end) {
        left -= takeRun(left, runs);
      }
      hasRanges = rangeStarts.size() > 0;
      countTaken(left - bytesMax);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the length of the run. */
  private long takeRun(long bytesMax, LongStack runs) {
    int last = rangeStarts.size() - 1;
    long start = rangeStarts.get(last);
    long end = rangeEnds.get(last);
    long bytes = Math.min(end - start, FreeSpaceMapLayout.RUN_BYTES_MAX);
    bytes = Math.min(bytes, (bytesMax + 63) & -64);
    runs.push(FreeSpaceMapLayout.run(end - bytes, bytes));
    rangeEnds.removeAt(last);
    if (end - bytes == start) {
      rangeStarts.removeAt(last);
    } else {
      rangeEnds.push(end - bytes);
    }
    return bytes;
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
    assert start < end && ((start | end) & 63) == 0 : "start=" + start + " end=" + end;
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
   * Takes a range of at least {@code bytesWanted}, the most recently added one that fits. From a
   * range longer than {@code bytesMax} it takes only the beginning, so that one allocator does not
   * starve others; both are multiples of 64.
   *
   * @return true if {@code out} was filled with start and end
   */
  boolean takeRange(long bytesWanted, long bytesMax, long[] out) {
    boolean isTaken = hasRanges && takeFirst(bytesWanted, bytesMax, out);
    if (!isTaken) {
      noteWant();
    }
    return isTaken;
  }

  /** Records that an allocator needs more memory than there is here. */
  void noteWant() {
    onWant.run();
  }

  private boolean takeFirst(long bytesWanted, long bytesMax, long[] out) {
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

  /** Adds the live counts of a closing allocator. */
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

  /**
   * Adds the memory in this list, all chunks taken, and the blocks of closed allocators that are
   * still in use.
   */
  void addTo(PoolUsage usage) {
    lock.lock();
    try {
      usage.addTaken(takenBytes.get());
      usage.addRetired(retired);
      reserve.addTo(usage);
      usage.addFree(TreeNodeLayout.SIZE_CLASS, leaves);
      for (int i = 0; i < SizeClass.COUNT; i++) {
        usage.addFree(i, free[i]);
        usage.addLive(i, liveOfClosed[i]);
      }
      for (int i = 0; i < rangeStarts.size(); i++) {
        usage.addSpare(rangeStarts.get(i), rangeEnds.get(i));
      }
    } finally {
      lock.unlock();
    }
  }
}
