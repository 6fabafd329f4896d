package org.nelumbo.executor.row;

import org.nelumbo.types.Bytes;

/** Finds the end of a string in a normalized key, eight bytes at a time. */
final class KeyScan {
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private KeyScan() {}

  /**
   * Returns the index of the first byte 0 (255 if descending) at or after {@code from}. Fails with
   * XX001 if there is none.
   */
  static int terminator(byte[] bytes, int from, boolean descending) {
    long flip = descending ? -1 : 0;
    int at = from;
    for (; at + 8 <= bytes.length; at += 8) {
      long word = Bytes.longLe(bytes, at) ^ flip;
      long zeros = (word - ONES) & ~word & HIGHS;
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    while (at < bytes.length) {
      if ((bytes[at] ^ (byte) flip) == 0) {
        return at;
      }
      at++;
    }
    throw DamagedRow.because("a text in its key has no end");
  }
}
