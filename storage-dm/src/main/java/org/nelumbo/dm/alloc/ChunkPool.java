package org.nelumbo.dm.alloc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;

/**
 * Memory shared by the allocators of one compute node: a free list for each logical node of the
 * pool, and the map from shards to logical nodes. Thread-safe.
 */
public final class ChunkPool {
  /** A node that has no room is asked again after so many allocations that others took. */
  private static final int PASSES_WITHOUT_ROOM = 64;

  private final CentralFreeList[] nodes;

  /** Null if there is one node: then there is nothing to choose. */
  private final PartitionMap partitions;

  private final AtomicInteger nextShard = new AtomicInteger();

  /**
   * Opens a formatted pool; there is one of these for all allocators of a compute node.
   *
   * @param horizon every transaction that is active has a start timestamp not below it; may be
   *     stale
   */
  public ChunkPool(Fabric fabric, LongSupplier horizon) {
    nodes = new CentralFreeList[fabric.nodeCount()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new CentralFreeList(i, fabric.nodeBytes(i), horizon);
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

  /** All that is free, as runs of a free-space map: all allocators are closed, and nobody reads. */
  long[] freeRuns() {
    LongStack runs = new LongStack();
    for (CentralFreeList node : nodes) {
      node.addFreeRuns(runs);
    }
    return runs.toArray();
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

  /** Bytes taken from a logical node by this compute node's allocators, or by those before it. */
  public long takenBytes(int node) {
    return nodes[node].takenBytes();
  }

  /** Offset in a logical node of the end of what is known to have been handed out. */
  public long handedOutEnd(int node) {
    return nodes[node].handedOutEnd();
  }

  /** Notes that other compute nodes have been handed out everything before an offset. */
  public void noteHandedOut(int node, long end) {
    nodes[node].noteHandedOut(end);
  }

  /** Bytes taken from the nodes by this compute node's allocators. */
  public long takenBytes() {
    long bytes = 0;
    for (CentralFreeList node : nodes) {
      bytes += node.takenBytes();
    }
    return bytes;
  }

  /**
   * Bytes, of those, that are in use or retired; exact when all allocators are closed or have been
   * asked to {@link PoolAllocator#report}.
   */
  public long usedBytes() {
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
    for (CentralFreeList node : nodes) {
      node.addTo(usage);
    }
  }
}
