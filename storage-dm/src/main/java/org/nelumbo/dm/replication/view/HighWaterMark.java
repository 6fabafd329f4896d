package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * High-water mark of a logical node: how many of its bytes were ever handed out. What lies behind
 * it need not be copied.
 */
public final class HighWaterMark {
  /** The superblock's bytes that say so. */
  public static final int LENGTH = SuperblockLayout.BUMP_OFFSET + Long.BYTES;

  private HighWaterMark() {}

  /**
   * Reads it from a copy of the superblock's first {@link #LENGTH} bytes.
   *
   * @return bytes from the beginning; all, if the node is not formatted
   */
  public static long of(MemorySegment superblock, long at, long slotBytes) {
    long magic =
        superblock.get(ValueLayout.JAVA_LONG_UNALIGNED, at + SuperblockLayout.MAGIC_OFFSET);
    long bump = superblock.get(ValueLayout.JAVA_LONG_UNALIGNED, at + SuperblockLayout.BUMP_OFFSET);
    return magic == SuperblockLayout.MAGIC && bump > 0 ? Math.min(bump, slotBytes) : slotBytes;
  }
}
