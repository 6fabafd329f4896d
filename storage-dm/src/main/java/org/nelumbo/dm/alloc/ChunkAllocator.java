package org.nelumbo.dm.alloc;

import java.util.Arrays;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The allocator of one coordinator on one logical node; the only allocator of the coordinator in
 * most pools within one process.
 *
 * <p><b>Cutting.</b> Chunks come from the node by FAA on the superblock's bump word; they grow from
 * 64 KiB to 1 MiB (less on a small node). A chunk is cut into slabs of one size class, 4 to 32 KiB.
 * A slab is cut into blocks in ascending order, so blocks that are allocated one after the other
 * are adjacent. Slab lengths are multiples of 64 bytes; a rest that is too small for the next slab
 * is cut into blocks of smaller classes. No byte is lost. In a shared pool the allocator holds
 * little memory, because that memory is lost if this compute node fails: chunks of 4 to 16 KiB,
 * slabs of 1 to 4 KiB.
 *
 * <p><b>Reuse.</b> An allocation tries, in this order:
 *
 * <ol>
 *   <li>the free list of its class;
 *   <li>the slab of its class;
 *   <li>retired blocks that the horizon has passed;
 *   <li>the central free list;
 *   <li>a new slab;
 *   <li>if the node has no chunk left: adjacent free blocks, which are coalesced and cut anew;
 *   <li>larger blocks and unused parts of slabs, which are cut up.
 * </ol>
 *
 * Only then is the node exhausted. Free lists that grow beyond 256 KiB, or 16 KiB in a shared pool,
 * move half of their blocks to the central free list.
 *
 * <p>An allocation may post an FAA and flush the channel, together with verbs that the caller has
 * posted.
 */
final class ChunkAllocator implements PoolAllocator {
  private static final int FREE_BYTES_MAX = 256 << 10;
  private static final int SHARED_FREE_BYTES_MAX = 16 << 10;
  private static final int FREE_BLOCKS_MIN = 32;
  private static final int TAKE_BYTES = 16 << 10;
  private static final int DRAIN_AT_RETIRE = 2;

  private final CentralFreeList central;
  private final ChunkSource chunks;
  private final SlabCutter slabs;
  private final LongStack[] free = new LongStack[SizeClass.COUNT];
  private final RetireQueue retired = new RetireQueue();
  private final long[] live = new long[SizeClass.COUNT];
  private long usedBytes;
  private boolean closed;

  /**
   * Creates an allocator.
   *
   * @param passesWithoutRoom number of chunk requests that skip the node after it had no room for
   *     one, because other nodes may have room
   */
  ChunkAllocator(CentralFreeList central, Channel channel, int passesWithoutRoom) {
    this.central = central;
    for (int i = 0; i < SizeClass.COUNT; i++) {
      free[i] = new LongStack();
    }
    chunks = new ChunkSource(channel, central, passesWithoutRoom);
    slabs = new SlabCutter(chunks, free);
  }

  @Override
  public long allocate(int sizeClass) {
    long address = tryAllocateLocal(sizeClass);
    return address != PoolAddress.NULL ? address : count(refill(sizeClass), sizeClass);
  }

  @Override
  public long tryAllocateLocal(int sizeClass) {
    LongStack blocks = free[sizeClass];
    return count(blocks.size() > 0 ? blocks.pop() : slabs.next(sizeClass), sizeClass);
  }

  @Override
  public long tryAllocateLeaf(int sizeClass) {
    long address = tryAllocatePreferred(sizeClass);
    return address != PoolAddress.NULL ? address : tryAllocateLocal(sizeClass);
  }

  /** Allocates memory at a preferred address; returns NULL if there is none at hand. */
  long tryAllocatePreferred(int sizeClass) {
    return count(central.takePreferred(sizeClass), sizeClass);
  }

  private long count(long address, int sizeClass) {
    if (address != PoolAddress.NULL) {
      live[sizeClass]++;
      usedBytes += SizeClass.bytes(sizeClass);
    }
    return address;
  }

  @Override
  public long allocate(int sizeClass, long lotusKey) {
    return allocate(sizeClass);
  }

  @Override
  public long allocateAt(int sizeClass, int node) {
    return allocate(sizeClass);
  }

  @Override
  public long allocateReserved(int sizeClass) {
    return count(chunks.takeReserved(sizeClass), sizeClass);
  }

  /**
   * Returns true if the node had no room for the last chunk requested from it, though it is not
   * used up.
   */
  boolean isOutOfSpace() {
    return central.isOutOfSpace();
  }

  /** Makes the next allocation request a chunk from the node again, although it had no room. */
  void askAgain() {
    chunks.askAgain();
  }

  private long refill(int sizeClass) {
    if (closed) {
      throw new IllegalStateException("the allocator is closed");
    }
    drainRetired(central.horizon(), Integer.MAX_VALUE);
    LongStack blocks = free[sizeClass];
    if (blocks.size() > 0) {
      return blocks.pop();
    }
    int batch = Math.max(1, TAKE_BYTES / SizeClass.bytes(sizeClass));
    if (central.take(sizeClass, blocks, batch) > 0) {
      return blocks.pop();
    }
    if (slabs.newSlab(sizeClass)) {
      return slabs.next(sizeClass);
    }
    giveAll();
    if (central.coalesce() && slabs.newSlab(sizeClass)) {
      return slabs.next(sizeClass);
    }
    return cutLarger(sizeClass);
  }

  @Override
  public void releaseFree() {
    drainRetired(central.horizon(), Integer.MAX_VALUE);
    giveAll();
    central.coalesce();
  }

  private void giveAll() {
    for (int i = 0; i < SizeClass.COUNT; i++) {
      if (free[i].size() > 0) {
        central.give(i, free[i], free[i].size());
      }
    }
  }

  private long cutLarger(int sizeClass) {
    LongStack blocks = free[sizeClass];
    if (blocks.size() > 0) {
      return blocks.pop();
    }
    for (int larger = sizeClass + 1; larger < SizeClass.COUNT; larger++) {
      if (free[larger].size() > 0 || central.take(larger, free[larger], 1) > 0) {
        long block = free[larger].pop();
        long address = slabs.cut(sizeClass, block, block + SizeClass.bytes(larger));
        if (address != PoolAddress.NULL) {
          return address;
        }
      }
    }
    return slabs.cutOtherSlab(sizeClass);
  }

  @Override
  public void free(long address, int sizeClass) {
    assert isBlock(address, sizeClass);
    live[sizeClass]--;
    makeFree(address, sizeClass);
  }

  private static boolean isBlock(long address, int sizeClass) {
    return PoolAddress.offset(address) >= SuperblockLayout.LENGTH
        && (address & SizeClass.alignment(sizeClass) - 1) == 0;
  }

  private void makeFree(long address, int sizeClass) {
    usedBytes -= SizeClass.bytes(sizeClass);
    if (central.reserve().contains(address)) {
      central.reserve().give(address, address + SizeClass.bytes(sizeClass));
      return;
    }
    LongStack blocks = free[sizeClass];
    blocks.push(address);
    int count = blocks.size();
    int bytesMax = central.isShared() ? SHARED_FREE_BYTES_MAX : FREE_BYTES_MAX;
    if (count > FREE_BLOCKS_MIN && (long) count * SizeClass.bytes(sizeClass) > bytesMax) {
      central.give(sizeClass, blocks, count / 2);
    }
  }

  @Override
  public void disown(long address, int sizeClass) {
    live[sizeClass]--;
    usedBytes -= SizeClass.bytes(sizeClass);
    central.countTaken(-SizeClass.bytes(sizeClass));
  }

  @Override
  public void retire(long address, int sizeClass, long timestamp) {
    assert isBlock(address, sizeClass);
    live[sizeClass]--;
    retired.add(address, sizeClass, timestamp);
    drainRetired(central.horizon(), DRAIN_AT_RETIRE);
  }

  private void drainRetired(long passed, int limit) {
    for (int i = 0; i < limit && retired.isReady(passed); i++) {
      long block = retired.poll();
      makeFree(RetireQueue.address(block), RetireQueue.sizeClass(block));
    }
  }

  @Override
  public void addTo(PoolUsage usage) {
    usage.addRetired(retired);
    slabs.addTo(usage);
    for (int i = 0; i < SizeClass.COUNT; i++) {
      usage.addFree(i, free[i]);
      usage.addLive(i, live[i]);
    }
  }

  @Override
  public void report() {
    central.addUsed(usedBytes);
    usedBytes = 0;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    report();
    slabs.giveBack(central);
    giveAll();
    central.giveRetired(retired);
    central.adoptLive(live);
    Arrays.fill(live, 0);
  }
}
