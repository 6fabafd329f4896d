package org.nelumbo.dm.alloc;

/**
 * Pool memory for one coordinator: bump allocation inside chunks it took from the nodes, and free
 * lists by size class. Not thread-safe. What it holds when closed goes to the central free list for
 * others.
 */
public interface PoolAllocator extends AutoCloseable {
  /**
   * Memory of at least {@code SizeClass.bytes(sizeClass)} bytes, aligned to 16 bytes (to 64 if the
   * class is a multiple of 64). Content undefined.
   *
   * @return its address, or {@code PoolAddress.NULL} if the pool is exhausted
   */
  long allocate(int sizeClass);

  /**
   * Memory for something that belongs to a row: on the node of its shard, or on another one if that
   * has no room. The pool is exhausted only if all nodes are.
   *
   * @param lotusKey of the row
   */
  long allocate(int sizeClass, long lotusKey);

  /**
   * Memory of the part of the pool that is kept for those who are about to make room; after an
   * allocation that failed. It has to be given back soon.
   *
   * @return its address, or {@code PoolAddress.NULL} if that is used up, too
   */
  long allocateReserved(int sizeClass);

  /**
   * Memory as of {@link #allocate(int)}, if this allocator has some at hand on the node where that
   * would look first. Takes no verb, no lock and no waiting, so a caller may hold a latch. A result
   * of {@code PoolAddress.NULL} says nothing about the pool.
   */
  long tryAllocateLocal(int sizeClass);

  /** Gives memory back for immediate reuse: nobody may hold its address any more. */
  void free(long address, int sizeClass);

  /** Memory that was allocated here belongs to no compute node any more, or to another one. */
  void disown(long address, int sizeClass);

  /**
   * Gives memory back that others may still be reading: it is reused once every transaction that
   * was active at {@code timestamp} has ended (invariant 6 of {@code docs/architecture.md}).
   */
  void retire(long address, int sizeClass, long timestamp);

  /**
   * Gives what is free to the central free list, which coalesces it with what lies beside it. After
   * much has been freed: later allocations, of whatever size, then find it in one piece.
   */
  void releaseFree();

  /** Brings the shared count of used bytes up to date. */
  void report();

  /**
   * Adds what this allocator holds and has in use; without the chunks it took, which the shared
   * list knows. Any thread; exact while nobody works.
   */
  void addTo(PoolUsage usage);

  @Override
  void close();
}
