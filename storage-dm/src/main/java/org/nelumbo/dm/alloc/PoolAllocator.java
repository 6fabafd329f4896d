package org.nelumbo.dm.alloc;

/**
 * An allocator of pool memory for one coordinator: bump allocation inside chunks that it took from
 * the nodes, and free lists by size class. Not thread-safe. When it is closed, its free memory
 * moves to the central free list.
 */
public interface PoolAllocator extends AutoCloseable {
  /**
   * Allocates at least {@code SizeClass.bytes(sizeClass)} bytes, aligned to 16 bytes (to 64 if the
   * class is a multiple of 64). Content undefined.
   *
   * @return its address, or {@code PoolAddress.NULL} if the pool is exhausted
   */
  long allocate(int sizeClass);

  /**
   * Allocates memory that belongs to a row: on the node of its shard, or on another one if that has
   * no room. The pool is exhausted only if all nodes are.
   *
   * @param lotusKey LOTUS key of the row
   */
  long allocate(int sizeClass, long lotusKey);

  /**
   * Allocates memory on a logical node.
   *
   * @return its address, or {@code PoolAddress.NULL} if the node has no room
   */
  long allocateAt(int sizeClass, int node);

  /**
   * Allocates memory from the reserve of the pool for a transaction that makes room, after an
   * ordinary allocation has failed. The caller frees it after the transaction, unless the session
   * or its compute node needs it for later transactions.
   *
   * @return its address, or {@code PoolAddress.NULL} if the reserve is used up, too
   */
  long allocateReserved(int sizeClass);

  /**
   * Allocates memory as {@link #allocate(int)} does, if this allocator has some on the node that it
   * would try first. Needs no verb, no lock and no waiting, so a caller may hold a latch. A result
   * of {@code PoolAddress.NULL} does not mean that the pool is exhausted.
   */
  long tryAllocateLocal(int sizeClass);

  /**
   * Allocates memory for a leaf of an index as {@link #tryAllocateLocal} does, if possible at an
   * address that {@link ChunkPool#prefer} prefers.
   */
  default long tryAllocateLeaf(int sizeClass) {
    return tryAllocateLocal(sizeClass);
  }

  /** Frees memory for immediate reuse: no reference to it may remain. */
  void free(long address, int sizeClass);

  /**
   * Removes memory that was allocated here from the books: it belongs to no compute node any more,
   * or to another one.
   */
  void disown(long address, int sizeClass);

  /**
   * Frees memory that may still have readers: it is reused once every transaction that was active
   * at {@code timestamp} has ended (invariant 6 of {@code docs/architecture.md}).
   */
  void retire(long address, int sizeClass, long timestamp);

  /**
   * Moves free memory to the central free list, which coalesces it with adjacent free memory.
   * Called after much has been freed, so that later allocations of any size find contiguous memory.
   */
  void releaseFree();

  /** Updates the shared count of used bytes. */
  void report();

  /**
   * Adds the free and the used memory of this allocator, but not its chunks, which the central free
   * list counts. May be called by any thread; exact while no allocator is used.
   */
  void addTo(PoolUsage usage);

  @Override
  void close();
}
