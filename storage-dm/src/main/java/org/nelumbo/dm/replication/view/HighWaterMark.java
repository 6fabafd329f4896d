package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * High-water mark of a logical node: the number of bytes that were ever allocated. Memory above it
 * need not be copied.
 */
public final class HighWaterMark {
  /** Length of the superblock prefix that contains the mark. */
  public static final int LENGTH = SuperblockLayout.BUMP_OFFSET + Long.BYTES;

  private HighWaterMark() {}

  /**
   * Reads the mark from a copy of the first {@link #LENGTH} bytes of a superblock.
   *
   * @return number of bytes from the beginning of the logical node; {@code slotBytes} if it is not
   *     formatted
   */
  public static long of(MemorySegment superblock, long at, long slotBytes) {
    long magic =
        superblock.get(ValueLayout.JAVA_LONG_UNALIGNED, at + SuperblockLayout.MAGIC_OFFSET);
    long bump = superblock.get(ValueLayout.JAVA_LONG_UNALIGNED, at + SuperblockLayout.BUMP_OFFSET);
    return magic == SuperblockLayout.MAGIC && bump > 0 ? Math.min(bump, slotBytes) : slotBytes;
  }
}
