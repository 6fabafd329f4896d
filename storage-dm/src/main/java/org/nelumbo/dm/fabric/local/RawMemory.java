package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Memory operations on absolute addresses. The segment spans all memory and is a constant, so the
 * compiler removes its bounds and liveness checks. Callers check the addresses themselves.
 */
final class RawMemory {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final VarHandle WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle WORD_ANYWHERE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private RawMemory() {}

  static MemorySegment segment(long address, int length) {
    return ALL.asSlice(address, length);
  }

  static void setRelease(long address, long value) {
    WORD.setRelease(ALL, address, value);
  }

  /** Replaces a word if it equals {@code expected}; returns the value that was found. */
  static long compareAndExchange(long address, long expected, long replacement) {
    return (long) WORD.compareAndExchange(ALL, address, expected, replacement);
  }

  static long getAndAdd(long address, long delta) {
    return (long) WORD.getAndAdd(ALL, address, delta);
  }

  static long get(long address) {
    return (long) WORD.get(ALL, address);
  }

  static void set(long address, long value) {
    WORD.set(ALL, address, value);
  }

  /**
   * Copies {@code length} bytes between regions that do not overlap. Each 8-byte word that is
   * aligned at {@code wordSide} (one of the two addresses) and is copied completely moves as one
   * access.
   */
  static void copy(long from, long to, int length, long wordSide) {
    if (((from | to | length) & 7) == 0) {
      copyWords(from, to, length);
    } else {
      copyAny(from, to, length, wordSide);
    }
  }

  /** Copies bytes to an array, in accesses of any size. */
  static void copyToArray(long from, byte[] target, int offset, int length) {
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from, target, offset, length);
  }

  private static void copyWords(long from, long to, int length) {
    if (length == 8) {
      WORD.set(ALL, to, (long) WORD.get(ALL, from));
    } else if (length == 16) {
      long first = (long) WORD.get(ALL, from);
      long second = (long) WORD.get(ALL, from + 8);
      WORD.set(ALL, to, first);
      WORD.set(ALL, to + 8, second);
    } else {
      // Both ends are aligned and the length is a multiple of 8: the JDK copies this in words.
      MemorySegment.copy(ALL, from, ALL, to, length);
    }
  }

  private static void copyAny(long from, long to, int length, long wordSide) {
    int head = (int) Math.min(-wordSide & 7, length);
    for (int i = 0; i < head; i++) {
      copyByte(from + i, to + i);
    }
    int words = (length - head) & -8;
    if (((from + head | to + head) & 7) == 0) {
      copyWords(from + head, to + head, words);
    } else {
      for (int i = head; i < head + words; i += 8) {
        WORD_ANYWHERE.set(ALL, to + i, (long) WORD_ANYWHERE.get(ALL, from + i));
      }
    }
    for (int i = head + words; i < length; i++) {
      copyByte(from + i, to + i);
    }
  }

  private static void copyByte(long from, long to) {
    ALL.set(ValueLayout.JAVA_BYTE, to, ALL.get(ValueLayout.JAVA_BYTE, from));
  }
}
