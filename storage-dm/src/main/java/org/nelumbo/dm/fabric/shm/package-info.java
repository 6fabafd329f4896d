/**
 * The shared-memory fabric: memory nodes are mapped files, in {@code /dev/shm}, on a DAX file
 * system (the CXL case) or on any other, so the pool survives the processes that attach to it.
 * Verbs are those of the local fabric, on the mapping.
 *
 * <p>Entry: {@link org.nelumbo.dm.fabric.shm.SharedMemory}. It opens and locks the file of each
 * node, compares its size with the superblock, then maps it. The lock is held until the fabric and
 * all its channels are closed. A pool is exclusively owned by one process, or shared by several
 * processes that register in a table file.
 */
package org.nelumbo.dm.fabric.shm;
