package org.nelumbo.dm.alloc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The end of a logical node, reserved for transactions that only delete and so make room. Holds the
 * free memory that a compute node has taken of it. A block belongs to the reserve by its address,
 * so it returns here from whatever allocator frees it, and the pool needs no record of it.
 * Thread-safe. It is used when the node is full, so it may be slow.
 */
final class NodeReserve {
  /**
   * The reserve is one byte of this many. A deletion takes 20 bytes of log, and the smallest row
   * takes 130 bytes, index entries included. So one statement can delete all rows of a full node.
   */
  private static final int SHARE = 7;

  private final long start;
  private final long end;
  private final ReentrantLock lock = new ReentrantLock();

  /** Free ranges that are not adjacent: start and end of each. Guarded by the lock. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  /** Written under the lock. */
  private final AtomicLong bytes = new AtomicLong();

  NodeReserve(int node, long nodeBytes) {
    start = PoolAddress.of(node, ordinaryBytes(nodeBytes));
    end = PoolAddress.of(node, 0) + nodeBytes;
  }

  /** Returns the bytes of a node outside its reserve; a multiple of 64. */
  static long ordinaryBytes(long nodeBytes) {
    return nodeBytes - nodeBytes / SHARE & -64;
  }

  /** Returns the offset of the reserve in the node. */
  long startOffset() {
    return PoolAddress.offset(start);
  }

  /** Returns true if a block at an address of the node belongs to the reserve. */
  boolean contains(long address) {
    return address >= start;
  }

  /** Returns the free bytes of the reserve. */
  long bytes() {
    return bytes.get();
  }

  /** Adds a free range of the reserve; both ends are multiples of 16. */
  void give(long from, long to) {
    if (from == to) {
      return;
    }
    assert start <= from && from <= to && to <= end : "from=" + from + " to=" + to;
    lock.lock();
    try {
      long first = from;
      long last = to;
      Map.Entry<Long, Long> before = ranges.floorEntry(from);
      if (before != null && before.getValue() == from) {
        first = before.getKey();
      }
      Long after = ranges.remove(to);
      if (after != null) {
        last = after;
      }
      ranges.put(first, last);
      bytes.addAndGet(to - from);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a block; returns NULL if no range has room for it. */
  long take(int sizeClass) {
    long alignment = SizeClass.alignment(sizeClass);
    int length = SizeClass.bytes(sizeClass);
    lock.lock();
    try {
      for (Map.Entry<Long, Long> range : ranges.entrySet()) {
        long block = range.getKey() + alignment - 1 & -alignment;
        if (block + length <= range.getValue()) {
          remove(range.getKey(), range.getValue(), block, block + length);
          return block;
        }
      }
      return PoolAddress.NULL;
    } finally {
      lock.unlock();
    }
  }

  private void remove(long rangeStart, long rangeEnd, long from, long to) {
    ranges.remove(rangeStart);
    if (rangeStart < from) {
      ranges.put(rangeStart, from);
    }
    if (to < rangeEnd) {
      ranges.put(to, rangeEnd);
    }
    bytes.addAndGet(from - to);
  }

  /** Removes free memory, as runs of a free-space map; returns its bytes. */
  long takeRuns(long bytesMax, int runsMax, LongStack runs) {
    lock.lock();
    try {
      long taken = 0;
      for (int i = 0; i < runsMax && taken < bytesMax && !ranges.isEmpty(); i++) {
        long from = ranges.firstKey();
        long to = Math.min(ranges.get(from), from + FreeSpaceMapLayout.RUN_BYTES_MAX);
        runs.push(FreeSpaceMapLayout.run(from, to - from));
        remove(from, ranges.get(from), from, to);
        taken += to - from;
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Adds all free memory, as runs of a free-space map. */
  void addFreeRuns(LongStack runs) {
    lock.lock();
    try {
      ranges.forEach(
          (from, to) -> {
            for (long at = from; at < to; at += FreeSpaceMapLayout.RUN_BYTES_MAX) {
              runs.push(
                  FreeSpaceMapLayout.run(at, Math.min(to - at, FreeSpaceMapLayout.RUN_BYTES_MAX)));
            }
          });
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of runs of the free memory. */
  int runCount() {
    lock.lock();
    try {
      int count = 0;
      for (Map.Entry<Long, Long> range : ranges.entrySet()) {
        long length = range.getValue() - range.getKey();
        count += (int) Math.ceilDiv(length, FreeSpaceMapLayout.RUN_BYTES_MAX);
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  void addTo(PoolUsage usage) {
    lock.lock();
    try {
      ranges.forEach(usage::addSpare);
    } finally {
      lock.unlock();
    }
  }
}
