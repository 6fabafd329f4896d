package org.nelumbo.dm.alloc;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Memory shared by the allocators of one compute node: a free list for each logical node of the
 * pool, and the map from shards to logical nodes. Thread-safe.
 */
public final class ChunkPool {
  /**
   * Number of allocations that skip a node which had no room, before a chunk is requested from it
   * again.
   */
  private static final int PASSES_WITHOUT_ROOM = 64;

  /** Free bytes that a member of a shared pool keeps of each logical node for its allocators. */
  private static final long HELD_BYTES_MAX = 256 << 10;

  private static final long HELD_RESERVE_MAX = 64 << 10;

  private final CentralFreeList[] nodes;

  private final PartitionMap partitions;

  private final AtomicInteger nextShard = new AtomicInteger();

  private final List<Adopted> adopted = new CopyOnWriteArrayList<>();

  private final AtomicLong adoptedBytes = new AtomicLong();

  private final LongSupplier horizon;
  private volatile boolean memoryLeft;

  /** Starts at one, so that a joining compute node first adopts donated memory. */
  private final AtomicInteger wants = new AtomicInteger(1);

  /** Free runs that may be used once no snapshot older than the timestamp exists. */
  private record Adopted(long[] runs, long timestamp) {
    /** Returns true if no snapshot can read any of the memory. */
    boolean isPassed(long horizon) {
      return timestamp < horizon;
    }

    long bytes() {
      return Arrays.stream(runs).map(FreeSpaceMapLayout::bytes).sum();
    }
  }

  /**
   * Opens a formatted pool; each compute node has one instance for all its allocators.
   *
   * @param horizon lower bound of the start timestamps of all active transactions; may be stale
   */
  public ChunkPool(Fabric fabric, LongSupplier horizon) {
    this.horizon = horizon;
    nodes = new CentralFreeList[fabric.nodeCount()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new CentralFreeList(i, fabric.nodeBytes(i), horizon, this::noteWant);
    }
    partitions =
        nodes.length == 1 ? null : new PartitionMap(fabric.physicalNodeCount(), nodes.length);
  }

  /**
   * Takes over a pool that was used before: its live blocks are in use, and the rest of the memory
   * that was allocated from the nodes is free. Must be called before the first allocation here.
   */
  public void restore(MemoryInUse memory) {
    for (CentralFreeList node : nodes) {
      node.restore(memory);
    }
    nodes[0].addUsed(memory.liveBytes());
    nodes[0].adoptLive(memory.liveBlocks);
  }

  /** Adopts donated free memory ({@link DonatedMemory}). */
  void adopt(long[] runs, long timestamp) {
    for (long run : runs) {
      int node = PoolAddress.node(FreeSpaceMapLayout.address(run));
      nodes[node].countTaken(FreeSpaceMapLayout.bytes(run));
    }
    Adopted next = new Adopted(runs, timestamp);
    adopted.add(next);
    adoptedBytes.addAndGet(next.bytes());
  }

  /**
   * Gives adopted memory without readers to all allocators. Called by the thread that adopts
   * memory.
   */
  public void giveAdopted() {
    give(horizon.getAsLong());
  }

  private void give(long passed) {
    for (Adopted each : List.copyOf(adopted)) {
      if (each.isPassed(passed)) {
        for (CentralFreeList node : nodes) {
          node.addRuns(each.runs());
        }
        adoptedBytes.addAndGet(-each.bytes());
        adopted.remove(each);
      }
    }
  }

  /** Records whether there is donated free memory. */
  public void noteMemoryLeft(boolean value) {
    if (memoryLeft != value) {
      memoryLeft = value;
    }
  }

  /** Returns true if there was donated free memory at the last check. */
  public boolean isMemoryLeft() {
    return memoryLeft;
  }

  private void noteWant() {
    if (memoryLeft) {
      wants.incrementAndGet();
    }
  }

  /** Returns how often an allocation needed more memory than there is here, since the last call. */
  public int takeWants() {
    return wants.get() == 0 ? 0 : wants.getAndSet(0);
  }

  /** Returns the adopted bytes that may still have readers. */
  public long adoptedBytes() {
    return adoptedBytes.get();
  }

  /**
   * Returns true if there is room for donated memory here, so that it would not be donated again at
   * once.
   */
  public boolean mayAdopt() {
    return isAnyUsedUp() || heldBytes() + adoptedBytes() < HELD_BYTES_MAX / 2;
  }

  /** Returns true if a memory node has no memory left to allocate. */
  public boolean isAnyUsedUp() {
    for (CentralFreeList node : nodes) {
      if (node.isExhausted() || node.isOutOfSpace()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sets whether other compute nodes have the pool open. If so, little free memory is kept here,
   * since it would be lost to them with this compute node.
   */
  public void setShared(boolean value) {
    for (CentralFreeList node : nodes) {
      node.setShared(value);
    }
  }

  /**
   * Sets the addresses that are preferred for leaves of indexes in a shared pool: those whose locks
   * this compute node grants. Any thread may call the predicate.
   */
  public void prefer(LongPredicate addresses) {
    for (CentralFreeList node : nodes) {
      node.prefer(addresses);
    }
  }

  /**
   * Returns a logical node with more free memory here than should be kept, since it would be lost
   * with this compute node; -1 if there is none. Coalesces its free memory as far as possible.
   */
  public int nodeWithSurplus() {
    for (CentralFreeList node : nodes) {
      if (node.isShared() && hasSurplus(node)) {
        node.coalesce();
        return node.node();
      }
    }
    return -1;
  }

  private static boolean hasSurplus(CentralFreeList node) {
    return node.reserve().bytes() > HELD_RESERVE_MAX
        || (!node.isExhausted() && node.heldBytes() > HELD_BYTES_MAX);
  }

  /** Returns the free bytes of a logical node that no allocator holds. */
  long heldBytes(int node) {
    return nodes[node].heldBytes();
  }

  long heldBytes() {
    long bytes = 0;
    for (CentralFreeList node : nodes) {
      bytes += node.heldBytes();
    }
    return bytes;
  }

  /** Returns the number of runs of the free memory that no allocator holds. */
  int runCount() {
    int count = 0;
    for (CentralFreeList node : nodes) {
      count += node.runCount();
    }
    return count;
  }

  /** Returns the number of runs of the free memory of a logical node that no allocator holds. */
  int runCount(int node) {
    return nodes[node].runCount();
  }

  /** Removes free memory of all nodes, which no compute node owns from then on. */
  long[] takeRuns(long bytesMax, int runsMax) {
    LongStack runs = new LongStack();
    for (CentralFreeList node : nodes) {
      node.takeRuns(bytesMax, runsMax - runs.size(), runs);
    }
    return runs.toArray();
  }

  /** Removes free memory of a logical node. */
  long[] takeRuns(int node, long bytesMax, int runsMax) {
    LongStack runs = new LongStack();
    nodes[node].takeRuns(bytesMax, runsMax, runs);
    return runs.toArray();
  }

  /**
   * Frees all retired and adopted memory: all allocators are closed, and no thread of this compute
   * node reads any more.
   */
  void freeAll() {
    give(Long.MAX_VALUE);
    for (CentralFreeList node : nodes) {
      node.freeRetired();
      node.coalesce();
    }
  }

  /**
   * Returns all free memory, as runs of a free-space map: all allocators are closed, and there are
   * no readers.
   */
  long[] freeRuns() {
    give(Long.MAX_VALUE);
    LongStack runs = new LongStack();
    for (CentralFreeList node : nodes) {
      node.addFreeRuns(runs);
    }
    return runs.toArray();
  }

  /** Returns the bytes of a node for ordinary allocations; the rest is reserved for deletions. */
  public static long ordinaryBytes(long nodeBytes) {
    return NodeReserve.ordinaryBytes(nodeBytes);
  }

  /**
   * Creates an allocator for one coordinator, which closes it.
   *
   * @param channel channel through which the allocator requests chunks
   */
  public PoolAllocator newAllocator(Channel channel) {
    if (partitions == null) {
      return new ChunkAllocator(nodes[0], channel, 0);
    }
    ChunkAllocator[] ofNodes = new ChunkAllocator[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      ofNodes[i] = new ChunkAllocator(nodes[i], channel, PASSES_WITHOUT_ROOM);
    }
    return new PartitionedAllocator(partitions, this::nextShard, ofNodes);
  }

  /** Returns the logical node for the rows of a shard, as long as it has room. */
  public int node(int shard) {
    return partitions == null ? 0 : partitions.node(shard);
  }

  private int nextShard() {
    return nextShard.incrementAndGet() & PartitionMap.SHARDS - 1;
  }

  /** Returns the bytes allocated from a logical node by all compute nodes, as far as is known. */
  public long takenBytes(int node) {
    return nodes[node].handedOutEnd() - SuperblockLayout.LENGTH;
  }

  /**
   * Returns the offset of the end of the memory of a logical node that is known to have been
   * allocated.
   */
  public long handedOutEnd(int node) {
    return nodes[node].handedOutEnd();
  }

  /** Records that other compute nodes have allocated the memory before an offset. */
  public void noteHandedOut(int node, long end) {
    nodes[node].noteHandedOut(end);
  }

  /** Returns the bytes allocated from all nodes by all compute nodes, as far as is known. */
  public long takenBytes() {
    long bytes = 0;
    for (int node = 0; node < nodes.length; node++) {
      bytes += takenBytes(node);
    }
    return bytes;
  }

  /**
   * Returns the bytes in use or retired; exact if all allocators are closed or have called {@link
   * PoolAllocator#report}.
   */
  long usedBytes() {
    long bytes = 0;
    for (CentralFreeList node : nodes) {
      bytes += node.usedBytes();
    }
    return bytes;
  }

  /**
   * Returns a node that had no room for the last chunk requested from it, though it is not used up;
   * -1 if there is none.
   */
  public int nodeOutOfSpace() {
    for (CentralFreeList node : nodes) {
      if (node.isOutOfSpace()) {
        return node.node();
      }
    }
    return -1;
  }

  /**
   * Adds the memory in the free lists, all chunks taken, and the blocks of closed allocators that
   * are still in use.
   */
  public void addTo(PoolUsage usage) {
    adopted.forEach(each -> usage.addRetired(each.runs()));
    for (CentralFreeList node : nodes) {
      node.addTo(usage);
    }
  }
}
