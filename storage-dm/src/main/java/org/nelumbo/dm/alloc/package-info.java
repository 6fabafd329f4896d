/**
 * Who owns which bytes of the pool. {@link org.nelumbo.dm.superblock.PoolFormat} prepares the
 * memory nodes; each coordinator allocates through a {@link org.nelumbo.dm.alloc.PoolAllocator} of
 * its own, in {@link org.nelumbo.dm.layout.SizeClass}es; the {@link org.nelumbo.dm.alloc.ChunkPool}
 * of the compute node makes these and passes on what one has too much of.
 */
package org.nelumbo.dm.alloc;
