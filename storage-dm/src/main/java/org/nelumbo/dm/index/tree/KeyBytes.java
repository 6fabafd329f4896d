package org.nelumbo.dm.index.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Compares keys as unsigned byte strings, eight bytes at a time. */
final class KeyBytes {
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeyBytes() {}

  /**
   * Returns the first eight bytes of {@code key[from, to)} as a number whose signed order is the
   * order of the keys. Missing bytes count as zero, so equal heads do not imply equal keys.
   */
  static long head(byte[] key, int from, int to) {
    if (from + Long.BYTES <= key.length) {
      return ((long) BIG_ENDIAN.get(key, from) & mask(to - from)) ^ Long.MIN_VALUE;
    }
    long head = 0;
    for (int i = from; i < to; i++) {
      head |= (key[i] & 0xFFL) << (56 - 8 * (i - from));
    }
    return head ^ Long.MIN_VALUE;
  }

  /** Returns a mask for the first {@code length} bytes of a big-endian word. */
  static long mask(int length) {
    return length >= Long.BYTES ? -1L : length <= 0 ? 0L : -1L << (64 - 8 * length);
  }

  /** Returns the number of leading bytes that two byte strings share. */
  static int common(byte[] a, int aLength, byte[] b, int bLength) {
    int limit = Math.min(aLength, bLength);
    int i = 0;
    while (i < limit && a[i] == b[i]) {
      i++;
    }
    return i;
  }
}
