package org.nelumbo.dm.alloc;

import java.util.function.IntSupplier;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The allocator of one coordinator on a pool of several logical nodes: an allocator for each node,
 * and the choice between them. Memory for a row is allocated on the node of its shard, and if that
 * has no room, on the next node in the shard's order ({@link PartitionMap}). Memory for no row (an
 * index node, a log) is allocated on the node of the coordinator's last row, since it is often used
 * together with that row. After {@value #UNBOUND_MAX} such allocations without a row in between,
 * the node of another shard is used, in turn.
 *
 * <p>Freed memory returns to the allocator of its node.
 */
final class PartitionedAllocator implements PoolAllocator {
  private static final int UNBOUND_MAX = 32;

  private final PartitionMap partitions;
  private final IntSupplier nextShard;
  private final ChunkAllocator[] nodes;
  private int lastShard;
  private int unboundLeft;

  /**
   * Creates an allocator.
   *
   * @param nextShard returns shards in turn, for memory that belongs to no row
   * @param nodes the allocators of the logical nodes
   */
  PartitionedAllocator(PartitionMap partitions, IntSupplier nextShard, ChunkAllocator[] nodes) {
    this.partitions = partitions;
    this.nextShard = nextShard;
    this.nodes = nodes;
  }

  @Override
  public long allocate(int sizeClass) {
    return allocateOf(unboundShard(), sizeClass);
  }

  @Override
  public long tryAllocateLocal(int sizeClass) {
    return nodes[partitions.node(unboundShard())].tryAllocateLocal(sizeClass);
  }

  @Override
  public long tryAllocateLeaf(int sizeClass) {
    int node = partitions.node(unboundShard());
    long address = nodes[node].tryAllocatePreferred(sizeClass);
    for (int i = 0; i < nodes.length && address == PoolAddress.NULL; i++) {
      address = nodes[i].tryAllocatePreferred(sizeClass);
    }
    return address != PoolAddress.NULL ? address : nodes[node].tryAllocateLocal(sizeClass);
  }

  private int unboundShard() {
    if (unboundLeft == 0) {
      unboundLeft = UNBOUND_MAX;
      lastShard = nextShard.getAsInt();
    }
    unboundLeft--;
    return lastShard;
  }

  @Override
  public long allocate(int sizeClass, long lotusKey) {
    lastShard = PartitionMap.shard(lotusKey);
    unboundLeft = UNBOUND_MAX;
    return allocateOf(lastShard, sizeClass);
  }

  @Override
  public long allocateAt(int sizeClass, int node) {
    return nodes[node].allocate(sizeClass);
  }

  private long allocateOf(int shard, int sizeClass) {
    long address = allocateInOrder(shard, sizeClass);
    if (address == PoolAddress.NULL && isAnyOutOfSpace()) {
      for (ChunkAllocator node : nodes) {
        node.askAgain();
      }
      address = allocateInOrder(shard, sizeClass);
    }
    return address;
  }

  private boolean isAnyOutOfSpace() {
    for (ChunkAllocator node : nodes) {
      if (node.isOutOfSpace()) {
        return true;
      }
    }
    return false;
  }

  private long allocateInOrder(int shard, int sizeClass) {
    int node = partitions.node(shard);
    long address = nodes[node].allocate(sizeClass);
    while (address == PoolAddress.NULL) {
      node = partitions.next(shard, node);
      if (node == PartitionMap.NONE) {
        return PoolAddress.NULL;
      }
      address = nodes[node].allocate(sizeClass);
    }
    return address;
  }

  @Override
  public long allocateReserved(int sizeClass) {
    int shard = unboundShard();
    long address = PoolAddress.NULL;
    for (int node = partitions.node(shard);
        address == PoolAddress.NULL && node != PartitionMap.NONE;
        node = partitions.next(shard, node)) {
      address = nodes[node].allocateReserved(sizeClass);
    }
    return address;
  }

  private ChunkAllocator of(long address) {
    return nodes[PoolAddress.node(address)];
  }

  @Override
  public void free(long address, int sizeClass) {
    of(address).free(address, sizeClass);
  }

  @Override
  public void disown(long address, int sizeClass) {
    of(address).disown(address, sizeClass);
  }

  @Override
  public void retire(long address, int sizeClass, long timestamp) {
    of(address).retire(address, sizeClass, timestamp);
  }

  @Override
  public void releaseFree() {
    for (ChunkAllocator node : nodes) {
      node.releaseFree();
    }
  }

  @Override
  public void report() {
    for (ChunkAllocator node : nodes) {
      node.report();
    }
  }

  @Override
  public void addTo(PoolUsage usage) {
    for (ChunkAllocator node : nodes) {
      node.addTo(usage);
    }
  }

  @Override
  public void close() {
    for (ChunkAllocator node : nodes) {
      node.close();
    }
  }
}
