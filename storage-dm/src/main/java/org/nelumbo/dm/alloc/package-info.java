/**
 * Allocation of pool memory, in blocks of 60 size classes ({@link
 * org.nelumbo.dm.layout.SizeClass}). All bookkeeping is in the memory of the compute node; the pool
 * itself records only how much of each node was ever allocated (the bump word of its superblock).
 *
 * <p>Entry point: {@link org.nelumbo.dm.alloc.ChunkPool}, one for each compute node, which makes a
 * {@link org.nelumbo.dm.alloc.PoolAllocator} for each coordinator. The life of a block:
 *
 * <pre>
 *  bump word --FAA--> chunk (64 KiB to 1 MiB)    ChunkSource
 *                       --cut--> slab of one class (4 to 32 KiB)    SlabCutter
 *                                  --> block    ChunkAllocator, PartitionedAllocator
 *  block --free--> free list of the allocator --> CentralFreeList --> any allocator
 *  block --retire--> RetireQueue, until no reader can hold its address --> free list
 *  node used up: BlockCoalescer joins neighbours, RangeCutter cuts them anew
 * </pre>
 *
 * <p>A compute node that attaches finds the memory in use ({@link
 * org.nelumbo.dm.alloc.MemoryInUse}) in the {@link org.nelumbo.dm.alloc.FreeSpaceMap} of a clean
 * shutdown or, after a crash, in a {@link org.nelumbo.dm.alloc.MarkBitmap} that it fills by
 * following every pointer. {@code ChunkPool.restore} then frees the rest.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>every byte taken from a node is in use, free, retired or spare ({@link
 *       org.nelumbo.dm.alloc.PoolUsage#isBalanced});
 *   <li>a retired block is reused only when the horizon has passed its timestamp (invariant 6 of
 *       {@code docs/architecture.md});
 *   <li>rows of one shard lie on one logical node as long as it has room ({@link
 *       org.nelumbo.dm.alloc.PartitionMap}).
 * </ul>
 *
 * <p><b>Threads.</b> An allocator belongs to one coordinator. The lock of a free list guards the
 * state that allocators share; it is never held across a verb.
 */
package org.nelumbo.dm.alloc;
