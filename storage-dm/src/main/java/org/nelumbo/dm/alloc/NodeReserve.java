package org.nelumbo.dm.alloc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The end of a logical node, kept for those who are about to make room: transactions that only
 * delete. Holds what a compute node has taken of it and nobody uses. A block belongs to the reserve
 * by its address, so it comes back here whoever frees it, and a pool needs no note of it.
 * Thread-safe. It is used when the node is full, so it may be slow.
 */
final class NodeReserve {
  /**
   * One byte in so many. A deletion takes 20 bytes of log, and the smallest row takes 130 bytes,
   * index entries included. So one statement can delete all rows of a full node.
   */
  private static final int SHARE = 7;

  private final long start;
  private final long end;
  private final ReentrantLock lock = new ReentrantLock();

  /** Free ranges, which do not touch: start and end of each. Guarded by the lock. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  /** Written under the lock. */
  private final AtomicLong bytes = new AtomicLong();

  NodeReserve(int node, long nodeBytes) {
    start = PoolAddress.of(node, ordinaryBytes(nodeBytes));
    end = PoolAddress.of(node, 0) + nodeBytes;
  }

  /** Bytes of a node that do not belong to its reserve; a multiple of 64. */
  static long ordinaryBytes(long nodeBytes) {
    return nodeBytes - nodeBytes / SHARE & -64;
  }

  /** Offset in the node of its first byte. */
  long startOffset() {
    return PoolAddress.offset(start);
  }

  /** Whether what begins at an address of the node belongs to the reserve. */
  boolean contains(long address) {
    return address >= start;
  }

  /** Bytes that are free here. */
  long bytes() {
    return bytes.get();
  }

  /** Adds a range of the reserve that nobody uses; both ends are multiples of 16. */
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

  /** Takes a block; NULL if no range has room for it. */
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

  /** Takes a part out of a range. */
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

  /** Takes free memory out, as runs of a free-space map; returns how many bytes. */
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

  /** Adds all that is free, as runs of a free-space map. */
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

  /** In how many runs the free memory is. */
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
