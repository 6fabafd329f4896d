package org.nelumbo.dm.fabric.local;

/**
 * The memory of one node, mapped into this process. Page-aligned; whoever holds the {@link
 * #address} must not touch it after {@link #release}. {@link LocalFabric} counts its users for
 * that.
 */
public interface NodeMemory {
  /** Absolute address of the first byte. */
  long address();

  /** Bytes of the node. */
  long bytes();

  /** Takes the memory out of this process. Called once. */
  void release();
}
