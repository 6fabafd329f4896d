package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * Hands out memory of chunks that it takes from the nodes: free lists by size class first, then the rest of the chunk. A row's CVT and record, made together, so lie side
 * by side. Chunks begin small, so that an idle coordinator holds little, and grow with use. What is left of a chunk when it is too small goes to the free lists.
 */
final class ChunkAllocator implements PoolAllocator {
  private static final int FIRST_CHUNK = 64 * 1024;
  private static final int LARGEST_CHUNK = 1024 * 1024;
  private static final int ALIGNMENT = 64;
  private static final int DEPOT_BATCH = 256;
  private static final int LIST_LIMIT = 8192;

  private final ChunkDepot depot;
  private final Channel channel;
  private final FreeList[] lists = new FreeList[SizeClass.COUNT];
  private final RetireQueue retired = new RetireQueue();
  private long position;
  private long limit;
  private int nextChunk = FIRST_CHUNK;
  private long usedBytes;

  ChunkAllocator(ChunkDepot depot, Channel channel) {
    this.depot = depot;
    this.channel = channel;
    for (int i = 0; i < lists.length; i++) {
      lists[i] = new FreeList();
    }
  }

  @Override
  public long allocate(int sizeClass) {
    long address = take(sizeClass);
    if (address != PoolAddress.NULL) {
      usedBytes += SizeClass.bytes(sizeClass);
    }
    return address;
  }

  private long take(int sizeClass) {
    FreeList list = lists[sizeClass];
    if (list.size() > 0) {
      return list.pop();
    }
    if (retired.size() > 0) {
      drainRetired();
    }
    if (list.size() == 0) {
      depot.take(sizeClass, list, DEPOT_BATCH);
    }
    return list.size() > 0 ? list.pop() : carve(SizeClass.bytes(sizeClass));
  }

  /** Cuts a piece from the chunk, or from a new one. */
  private long carve(int bytes) {
    while (true) {
      long start = align(position, bytes);
      if (start + bytes <= limit) {
        shelve(position, start);
        position = start + bytes;
        return start;
      }
      shelve(position, limit);
      position = 0;
      limit = 0;
      if (!takeChunk(bytes)) {
        return PoolAddress.NULL;
      }
    }
  }

  private static long align(long position, int bytes) {
    return bytes % ALIGNMENT == 0 ? (position + ALIGNMENT - 1) & -ALIGNMENT : position;
  }

  /** Puts a left-over piece on the free lists, in the largest sizes it has room for. */
  private void shelve(long from, long to) {
    long at = from;
    while (to - at >= SizeClass.bytes(0)) {
      int sizeClass = largestFitting(at, to - at);
      lists[sizeClass].push(at);
      at += SizeClass.bytes(sizeClass);
    }
  }

  private static int largestFitting(long at, long room) {
    int sizeClass = room >= SizeClass.LARGEST ? SizeClass.COUNT - 1 : SizeClass.of((int) room);
    while (SizeClass.bytes(sizeClass) > room || align(at, SizeClass.bytes(sizeClass)) != at) {
      sizeClass--;
    }
    return sizeClass;
  }

  /** Takes a chunk from the first node that has room, by moving its bump offset. */
  private boolean takeChunk(int atLeast) {
    int wanted = Math.max(nextChunk, (atLeast + ALIGNMENT - 1) & -ALIGNMENT);
    nextChunk = Math.min(nextChunk * 2, LARGEST_CHUNK);
    for (int node = 0; node < depot.fabric().nodeCount(); node++) {
      if (takeFrom(node, wanted, atLeast)) {
        return true;
      }
    }
    return false;
  }

  private boolean takeFrom(int node, int wanted, int atLeast) {
    long bump = PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET);
    long end = depot.fabric().nodeBytes(node);
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(bump, offset, Long.BYTES);
    channel.flush();
    long current = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    boolean taken = false;
    while (!taken && end - current >= atLeast) {
      long granted = Math.min(wanted, end - current);
      channel.compareAndSwap(bump, current, current + granted, offset);
      channel.flush();
      long old = channel.staging().get(ValueLayout.JAVA_LONG, offset);
      taken = old == current;
      if (taken) {
        position = PoolAddress.of(node, current);
        limit = position + granted;
        depot.addTaken(granted);
      }
      current = old;
    }
    channel.release(mark);
    return taken;
  }

  private void drainRetired() {
    long horizon = depot.horizon();
    while (retired.size() > 0 && retired.timestamp() < horizon) {
      free(retired.address(), retired.sizeClass());
      retired.pop();
    }
  }

  @Override
  public void free(long address, int sizeClass) {
    usedBytes -= SizeClass.bytes(sizeClass);
    FreeList list = lists[sizeClass];
    list.push(address);
    if (list.size() > LIST_LIMIT) {
      depot.give(sizeClass, list, LIST_LIMIT / 2);
    }
  }

  @Override
  public void retire(long address, int sizeClass, long timestamp) {
    retired.add(address, sizeClass, timestamp);
  }

  @Override
  public void report() {
    depot.addUsed(usedBytes);
    usedBytes = 0;
  }

  @Override
  public void close() {
    shelve(position, limit);
    position = 0;
    limit = 0;
    report();
    for (int sizeClass = 0; sizeClass < lists.length; sizeClass++) {
      depot.give(sizeClass, lists[sizeClass], lists[sizeClass].size());
    }
    depot.giveRetired(retired);
  }
}
