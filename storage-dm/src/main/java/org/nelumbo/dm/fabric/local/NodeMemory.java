package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * The memory of one node, mapped into this process and page-aligned. A holder of the {@link
 * #address} must not access it after {@link #release}; {@link LocalFabric} counts its users for
 * that purpose.
 */
public interface NodeMemory {
  /** Returns the absolute address of the first byte. */
  long address();

  /** Returns the size of the node in bytes. */
  long bytes();

  /** Returns the name of the node for messages, such as its file; empty if it has none. */
  default String name() {
    return "";
  }

  /**
   * Returns the description of a problem with this memory that its user should know; empty if there
   * is none.
   */
  default String problem() {
    return "";
  }

  /**
   * Populates a range so that it stays usable, whatever other processes allocate meanwhile. The
   * content stays the same.
   *
   * @return false if no memory is left, for example because the node's file cannot grow on a full
   *     file system
   */
  default boolean populate(long offset, long length) {
    return true;
  }

  /**
   * Returns the bytes that the system can still provide; {@link MachineMemory#UNBOUNDED} if
   * unknown.
   */
  default long availableBytes() {
    return MachineMemory.UNBOUNDED;
  }

  /**
   * Returns the number of bytes, from the first on, that may contain data of an earlier process.
   */
  default long leftBytes() {
    return 0;
  }

  /** Clears a range that no compute node uses. */
  default void clear(long offset, long length) {
    MemorySegment.ofAddress(address() + offset).reinterpret(length).fill((byte) 0);
  }

  /**
   * Records what the memory holds, so that the next process detects a different content. Called
   * while no process changes the memory.
   *
   * @param isCancelled returns true if a process waits to change the memory; then nothing is
   *     recorded
   */
  default void seal(BooleanSupplier isCancelled) {}

  /** Discards the record of {@link #seal}. Called before the memory is changed. */
  default void unseal() {}

  /** Unmaps the memory. Called once. */
  void release();
}
