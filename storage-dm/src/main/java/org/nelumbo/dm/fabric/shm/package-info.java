/**
 * The shared-memory fabric: memory nodes are mapped files, in {@code /dev/shm}, on a DAX file
 * system (the CXL case) or on any other, so that the pool survives every process that attaches to
 * it. Verbs are those of the local fabric, on the mapping.
 *
 * <p>Entry: {@link org.nelumbo.dm.fabric.shm.SharedMemory}. It opens the file of each node and
 * takes its lock, compares sizes with those of the superblock, then maps the files. The lock is
 * held until the fabric and all its channels are closed, so one compute node at a time has the
 * pool.
 */
package org.nelumbo.dm.fabric.shm;
