package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Takes chunks for one coordinator: first ranges that closed allocators left in the central free
 * list, then new ones from the node. The result is in {@link #start} and {@link #end}, both
 * multiples of 64.
 *
 * <p>An FAA on the bump word may pass the end of the memory for ordinary allocations. The allocator
 * whose chunk straddles that end gets the part before it, and the rest is added to the {@link
 * NodeReserve}. Every later request fails, which the central free list remembers.
 *
 * <p>A node may have no room for a chunk because other processes have filled the file system of its
 * file. Then the smallest sufficient chunk is requested; later the node may have room again.
 */
final class ChunkSource {
  private static final long CHUNK_BYTES_MIN = 64 << 10;
  private static final long CHUNK_BYTES_MAX = 1 << 20;

  // In a shared pool: the unused part of a chunk is lost if this compute node fails.

  private static final long SHARED_CHUNK_BYTES_MIN = 4 << 10;
  private static final long SHARED_CHUNK_BYTES_MAX = 16 << 10;

  /** A chunk in a shared pool is at most this part of the memory taken so far. */
  private static final int SHARED_CHUNK_PART = 4;

  private static final long RESERVE_BYTES = 16 << 10;

  private final Channel channel;
  private final CentralFreeList central;
  private final long[] range = new long[2];
  private final int passesWithoutRoom;
  private long chunkBytes;
  private long takenBytes;
  private int passes;

  ChunkSource(Channel channel, CentralFreeList central, int passesWithoutRoom) {
    this.channel = channel;
    this.central = central;
    this.passesWithoutRoom = passesWithoutRoom;
    this.chunkBytes = bytesMin();
  }

  private long bytesMin() {
    return central.isShared() ? SHARED_CHUNK_BYTES_MIN : CHUNK_BYTES_MIN;
  }

  private long bytesMax() {
    return central.isShared() ? SHARED_CHUNK_BYTES_MAX : CHUNK_BYTES_MAX;
  }

  /** Returns true if other compute nodes share the pool. */
  boolean isShared() {
    return central.isShared();
  }

  /**
   * Gives the part of a chunk beyond the maximum size to all allocators; returns the end of the
   * rest.
   */
  long giveExcess(long start, long end) {
    long kept = Math.min(end, start + bytesMax());
    give(kept, end);
    return kept;
  }

  /** Gives a part of a chunk to all allocators. */
  void give(long start, long end) {
    if (start < end) {
      central.giveRange(start, end);
    }
  }

  long start() {
    return range[0];
  }

  long end() {
    return range[1];
  }

  /** Takes a chunk, which may be smaller than usual; returns false if there is none. */
  boolean take(int bytesWanted) {
    if (central.takeRange(bytesWanted, chunkBytes(bytesWanted), range)) {
      return true;
    }
    if (central.handedOutEnd() >= central.reserve().startOffset()) {
      central.setExhausted();
    }
    if (central.isExhausted()) {
      return false;
    }
    if (passes > 0) {
      passes--;
      return false;
    }
    return takeFromNode(bytesWanted);
  }

  /** Makes the next call request a chunk from the node again, although it had no room. */
  void askAgain() {
    passes = 0;
  }

  private long chunkBytes(int bytesWanted) {
    long mostBytes = Math.min(bytesMax(), central.chunkBytesMax());
    long wanted = Math.max(bytesWanted, Math.min(chunkBytes, mostBytes));
    return (wanted + bytesMin() - 1) & -bytesMin();
  }

  private boolean takeFromNode(int bytesWanted) {
    long bytes = chunkBytes(bytesWanted);
    long start = fetchAndAddBump(bytes);
    if (start == SuperblockLayout.NO_ROOM) {
      chunkBytes = bytesMin();
      bytes = chunkBytes(bytesWanted);
      start = fetchAndAddBump(bytes);
    }
    central.setOutOfSpace(start == SuperblockLayout.NO_ROOM);
    if (start == SuperblockLayout.NO_ROOM) {
      passes = passesWithoutRoom;
      return false;
    }
    long end = keepReserve(start, start + bytes);
    if (end <= start) {
      return false;
    }
    range[0] = PoolAddress.of(central.node(), start);
    range[1] = range[0] + (end - start);
    takenBytes += end - start;
    chunkBytes =
        central.isShared()
            ? Math.clamp(takenBytes / SHARED_CHUNK_PART, bytesMin(), bytesMax())
            : Math.min(chunkBytes * 2, bytesMax());
    return !central.keepForLeaves(range[0], range[1]) || takeFromNode(bytesWanted);
  }

  /** Returns the end of the part that does not belong to the reserve. */
  private long keepReserve(long start, long chunkEnd) {
    long end = Math.min(chunkEnd, central.nodeBytes());
    if (start < end) {
      central.countTaken(end - start);
      central.noteHandedOut(end);
    }
    long reserved = Math.max(start, central.reserve().startOffset());
    if (reserved < end) {
      central
          .reserve()
          .give(PoolAddress.of(central.node(), reserved), PoolAddress.of(central.node(), end));
    }
    if (reserved < chunkEnd) {
      central.setExhausted();
    }
    return Math.min(end, reserved);
  }

  /**
   * Takes a block of the reserve; returns NULL if the reserve is used up, or the node has no room
   * for it.
   */
  long takeReserved(int sizeClass) {
    long block = central.reserve().take(sizeClass);
    while (block == PoolAddress.NULL && central.handedOutEnd() < central.nodeBytes()) {
      long bytes = Math.max(RESERVE_BYTES, SizeClass.bytes(sizeClass));
      long start = fetchAndAddBump(bytes);
      if (start == SuperblockLayout.NO_ROOM) {
        return PoolAddress.NULL;
      }
      central.noteHandedOut(start + bytes);
      long end = keepReserve(start, start + bytes);
      if (start < end) {
        give(PoolAddress.of(central.node(), start), PoolAddress.of(central.node(), end));
      }
      block = central.reserve().take(sizeClass);
    }
    if (block == PoolAddress.NULL) {
      central.noteWant();
    }
    return block;
  }

  private long fetchAndAddBump(long bytes) {
    int mark = channel.mark();
    int at = channel.reserve(Long.BYTES);
    channel.fetchAndAdd(PoolAddress.of(central.node(), SuperblockLayout.BUMP_OFFSET), bytes, at);
    channel.flush();
    long old = channel.staging().get(ValueLayout.JAVA_LONG, at);
    channel.release(mark);
    if (old < SuperblockLayout.LENGTH && old != SuperblockLayout.NO_ROOM) {
      throw new IllegalStateException("the memory node is not formatted node=" + central.node());
    }
    return old;
  }
}
