package org.nelumbo.dm.alloc;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
  /** A node that has no room is asked again after so many allocations that others took. */
  private static final int PASSES_WITHOUT_ROOM = 64;

  /** Of each logical node a compute node of several keeps no more for its allocators. */
  private static final long HELD_BYTES_MAX = 256 << 10;

  /** And of its reserve. */
  private static final long HELD_RESERVE_MAX = 64 << 10;

  private final CentralFreeList[] nodes;

  /** Null if there is one node: then there is nothing to choose. */
  private final PartitionMap partitions;

  private final AtomicInteger nextShard = new AtomicInteger();

  /** Memory that was none's, and that somebody may still read. */
  private final List<Adopted> adopted = new CopyOnWriteArrayList<>();

  private final AtomicLong adoptedBytes = new AtomicLong();

  private final LongSupplier horizon;
  private volatile boolean memoryLeft;

  /** How often more was wanted; once at first, as who comes begins with what others have left. */
  private final AtomicInteger wants = new AtomicInteger(1);

  /** Free runs, for use when nobody has an older snapshot. */
  private record Adopted(long[] runs, long timestamp) {
    /** Whether nobody has a snapshot in which something of it can be read. */
    boolean isPassed(long horizon) {
      return timestamp < horizon;
    }

    long bytes() {
      return Arrays.stream(runs).map(FreeSpaceMapLayout::bytes).sum();
    }
  }

  /**
   * Opens a formatted pool; there is one of these for all allocators of a compute node.
   *
   * @param horizon every transaction that is active has a start timestamp not below it; may be
   *     stale
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
   * Takes over a pool that others have used before: what they had in use is {@code live}, all else
   * of what they had been given is free. The map is from before the first allocation here.
   */
  public void restore(MemoryInUse memory) {
    for (CentralFreeList node : nodes) {
      node.restore(memory);
    }
    nodes[0].addUsed(memory.liveBytes());
    nodes[0].adoptLive(memory.liveBlocks);
  }

  /** Takes over what was none's ({@link LeftMemory}). */
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
   * Gives to all allocators what was taken over and nobody can read any more. For the thread that
   * takes it over.
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

  /** Notes whether others have left memory that nobody has taken over. */
  public void noteMemoryLeft(boolean value) {
    if (memoryLeft != value) {
      memoryLeft = value;
    }
  }

  /** Whether others have left memory that nobody had taken over when it was last looked. */
  public boolean isMemoryLeft() {
    return memoryLeft;
  }

  private void noteWant() {
    if (memoryLeft) {
      wants.incrementAndGet();
    }
  }

  /** How often more was wanted than there is here, since this was asked. */
  public int takeWants() {
    return wants.get() == 0 ? 0 : wants.getAndSet(0);
  }

  /** Bytes that were taken over and wait for their readers. */
  public long adoptedBytes() {
    return adoptedBytes.get();
  }

  /** Whether there is room here for what is none's: it is not given back at once. */
  public boolean mayAdopt() {
    return isAnyUsedUp() || heldBytes() + adoptedBytes() < HELD_BYTES_MAX / 2;
  }

  /** Whether a memory node has nothing more to give. */
  public boolean isAnyUsedUp() {
    for (CentralFreeList node : nodes) {
      if (node.isExhausted() || node.isOutOfSpace()) {
        return true;
      }
    }
    return false;
  }

  /** From now on other compute nodes have the pool, too: little is held here. */
  public void share() {
    for (CentralFreeList node : nodes) {
      node.setShared();
    }
  }

  /**
   * A logical node of which more is free here than is good, as it would be lost with this compute
   * node; or -1. What is free lies side by side then, as far as possible.
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

  /** How much of a logical node is free here, and not with an allocator. */
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

  /** In how many runs that is. */
  int runCount() {
    int count = 0;
    for (CentralFreeList node : nodes) {
      count += node.runCount();
    }
    return count;
  }

  /** In how many runs that of a logical node is. */
  int runCount(int node) {
    return nodes[node].runCount();
  }

  /** Takes free memory out of all nodes, which belongs to no compute node from then on. */
  long[] takeRuns(long bytesMax, int runsMax) {
    LongStack runs = new LongStack();
    for (CentralFreeList node : nodes) {
      node.takeRuns(bytesMax, runsMax - runs.size(), runs);
    }
    return runs.toArray();
  }

  /** Takes free memory out of a logical node. */
  long[] takeRuns(int node, long bytesMax, int runsMax) {
    LongStack runs = new LongStack();
    nodes[node].takeRuns(bytesMax, runsMax, runs);
    return runs.toArray();
  }

  /** All allocators are closed, and nobody here reads: what waits for its readers is free, too. */
  void freeAll() {
    give(Long.MAX_VALUE);
    for (CentralFreeList node : nodes) {
      node.freeRetired();
      node.coalesce();
    }
  }

  /** All that is free, as runs of a free-space map: all allocators are closed, and nobody reads. */
  long[] freeRuns() {
    give(Long.MAX_VALUE);
    LongStack runs = new LongStack();
    for (CentralFreeList node : nodes) {
      node.addFreeRuns(runs);
    }
    return runs.toArray();
  }

  /** Bytes of a node that everybody may use; the others are kept for deletions. */
  public static long ordinaryBytes(long nodeBytes) {
    return NodeReserve.ordinaryBytes(nodeBytes);
  }

  /** An allocator for one coordinator, which closes it; takes chunks through that channel. */
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

  /** The logical node that the rows of a shard lie on, as long as it has room. */
  public int node(int shard) {
    return partitions == null ? 0 : partitions.node(shard);
  }

  private int nextShard() {
    return nextShard.incrementAndGet() & PartitionMap.SHARDS - 1;
  }

  /** Bytes that were taken from a logical node, by whomever, as far as is known. */
  public long takenBytes(int node) {
    return nodes[node].handedOutEnd() - SuperblockLayout.LENGTH;
  }

  /** Offset in a logical node of the end of what is known to have been handed out. */
  public long handedOutEnd(int node) {
    return nodes[node].handedOutEnd();
  }

  /** Notes that other compute nodes have been handed out everything before an offset. */
  public void noteHandedOut(int node, long end) {
    nodes[node].noteHandedOut(end);
  }

  /** Bytes that were taken from the nodes, by whomever, as far as is known. */
  public long takenBytes() {
    long bytes = 0;
    for (int node = 0; node < nodes.length; node++) {
      bytes += takenBytes(node);
    }
    return bytes;
  }

  /**
   * Bytes, of those, that are in use or retired; exact when all allocators are closed or have been
   * asked to {@link PoolAllocator#report}.
   */
  long usedBytes() {
    long bytes = 0;
    for (CentralFreeList node : nodes) {
      bytes += node.usedBytes();
    }
    return bytes;
  }

  /**
   * A node that had no room for the last chunk it was asked for, though it is not used up; or -1.
   */
  public int nodeOutOfSpace() {
    for (CentralFreeList node : nodes) {
      if (node.isOutOfSpace()) {
        return node.node();
      }
    }
    return -1;
  }

  /** Adds what the free lists hold, all chunks taken, and what closed allocators left in use. */
  public void addTo(PoolUsage usage) {
    adopted.forEach(each -> usage.addRetired(each.runs()));
    for (CentralFreeList node : nodes) {
      node.addTo(usage);
    }
  }
}
