package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Short accessors for words of a staging buffer. */
final class Words {
  private Words() {}

  static long getLong(MemorySegment segment, long offset) {
    return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  static void putLong(MemorySegment segment, long offset, long value) {
    segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  static int getByte(MemorySegment segment, long offset) {
    return segment.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
  }

  static void putByte(MemorySegment segment, long offset, int value) {
    segment.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
  }
}
