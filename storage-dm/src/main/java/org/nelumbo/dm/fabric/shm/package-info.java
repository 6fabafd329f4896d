/**
 * The shared-memory fabric: memory nodes are mapped files, in {@code /dev/shm}, on a DAX file
 * system (the CXL case) or on any other, so that the pool survives every process that attaches to
 * it. Verbs are those of the local fabric, on the mapping. Entry: {@link
 * org.nelumbo.dm.fabric.shm.SharedMemory}.
 */
package org.nelumbo.dm.fabric.shm;
