package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

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

  /** Name of the node for people, such as its file; empty if it has none. */
  default String name() {
    return "";
  }

  /** What has happened to the memory that its user should know; empty if nothing has. */
  default String problem() {
    return "";
  }

  /**
   * Sees to it that there is memory behind these bytes, so that they can be used whatever others do
   * meanwhile. What they hold stays as it is.
   *
   * @return false if there is none left: the node's file cannot grow on a full file system, say
   */
  default boolean populate(long offset, long length) {
    return true;
  }

  /** Bytes that the system can still give; {@link MachineMemory#UNBOUNDED} if that is not known. */
  default long availableBytes() {
    return MachineMemory.UNBOUNDED;
  }

  /** Bytes from the first on that may have something in them that an earlier process has left. */
  default long leftBytes() {
    return 0;
  }

  /** Makes bytes zero that nobody uses. */
  default void clear(long offset, long length) {
    MemorySegment.ofAddress(address() + offset).reinterpret(length).fill((byte) 0);
  }

  /**
   * Notes what the memory holds, so that the next process finds out if it holds something else.
   * Called while nobody changes it.
   *
   * @param isCancelled whether somebody waits to change it; then nothing is noted
   */
  default void seal(BooleanSupplier isCancelled) {}

  /** Forgets what {@link #seal} noted. Called before the memory is changed. */
  default void unseal() {}

  /** Takes the memory out of this process. Called once. */
  void release();
}
